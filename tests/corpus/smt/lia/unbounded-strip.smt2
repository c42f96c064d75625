; test: smt
; expect: unsat
; level: 0
; No integer point between two parallel lines; branching alone never ends.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (<= 1 (- (* 3 x) (* 3 y)) 2))
(check-sat)
