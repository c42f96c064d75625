; test: smt
; expect: unsat
; level: 0
; Three half-planes without a common point.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (>= (+ x y) 2))
(assert (<= (+ x (* 2 y)) 2))
(assert (<= (+ (* 2 x) y) 1.5))
(check-sat)
