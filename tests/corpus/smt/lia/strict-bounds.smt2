; test: smt
; expect: unsat
; level: 0
; There is no integer between neighbours.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (< x y (+ x 1)))
(check-sat)
