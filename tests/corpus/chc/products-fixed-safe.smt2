; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc trl
; Products are linear where the clause fixes one factor: by an equation, through others, or by bounds that meet.
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Real) Bool)
(define-fun times ((a Int) (b Int)) Int (* a b))
(assert (p 2))
(assert (forall ((x Int) (k Int)) (=> (and (p x) (= k 3)) (p (* k x)))))
(assert (forall ((x Int) (j Int) (k Int)) (=> (and (p x) (= k (+ j 1)) (= j 4)) (p (times x k)))))
(assert (forall ((x Int) (k Int)) (=> (and (p x) (>= k 7) (< k 8)) (p (+ x (* k x))))))
(assert (forall ((x Int) (h Real)) (=> (and (p x) (= (* 2.0 h) 1.0)) (q (* h (to_real x))))))
(assert (forall ((x Int) (k Int)) (=> (and (p x) (= k 0)) (p (+ (* k x) 4)))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
(assert (forall ((y Real)) (=> (and (q y) (< y 0.0)) false)))
(check-sat)
