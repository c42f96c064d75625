; test: smt
; expect: unsat
; level: 0
; A strip without integral points that is unbounded in other directions: modulo 4 the equation leaves no value to the sum.
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(declare-const d Int)
(assert (= (+ (* 8 a) (* 9 b) (- c) (* 2 d)) 8))
(assert (< (- 8) (+ b (- c) (* (- 2) d)) (- 4)))
(check-sat)
