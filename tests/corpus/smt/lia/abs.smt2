; test: smt
; expect: unsat
; level: 0
; The triangle inequality.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (> (abs (+ x y)) (+ (abs x) (abs y))))
(check-sat)
