; test: smt
; expect: sat
; level: 0
; Values of all kinds of terms.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const p Bool)
(assert (= x 17))
(assert (= y (- 5)))
(assert p)
(check-sat)
(get-value (x y (+ x y) (div x (- 5)) (mod x 5) (abs y) (ite p x y) (< x y) (=> p (= x 17)) (let ((z (* 3 x))) (- z y))))
