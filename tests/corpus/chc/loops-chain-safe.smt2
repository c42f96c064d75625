; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind dar
; Three loops; that the last one is safe depends on both before it.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(declare-fun q (Int Int) Bool)
(declare-fun r (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x 10)) (q x y))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (> x 0)) (q (- x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (<= x 0)) (r x y))))
(assert (forall ((x Int) (y Int)) (=> (r x y) (r x (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (r x y) (< y 10)) false)))
(check-sat)
