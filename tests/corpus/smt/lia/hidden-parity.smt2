; test: smt
; expect: unsat
; level: 0
; The sum of both equations is even on one side only.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (+ x y z) 4))
(assert (= (+ x (- y) (* 3 z)) 7))
(check-sat)
