; test: smt
; expect: unsat sat
; level: 0
; Three tasks end at 12, not at 11.
(set-logic QF_IDL)
(declare-const z Int)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
; three tasks of lengths 3, 4 and 5 on one machine
(assert (and (>= (- a z) 0) (>= (- b z) 0) (>= (- c z) 0)))
(assert (or (>= (- b a) 3) (>= (- a b) 4)))
(assert (or (>= (- c a) 3) (>= (- a c) 5)))
(assert (or (>= (- c b) 4) (>= (- b c) 5)))
(push 1)
(assert (and (<= (- a z) 8) (<= (- b z) 7) (<= (- c z) 6)))
(check-sat)
(pop 1)
(assert (and (<= (- a z) 9) (<= (- b z) 8) (<= (- c z) 7)))
(check-sat)
(get-model)
