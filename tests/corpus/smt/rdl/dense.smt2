; test: smt
; expect: sat unsat
; level: 0
; Differences of reals.
(set-logic QF_RDL)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (< (- x y) (/ 1 2)))
(assert (> (- x y) (/ 1 3)))
(check-sat)
(get-model)
(assert (= z y))
(assert (<= (- x z) (/ 1 3)))
(check-sat)
