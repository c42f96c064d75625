; test: chc
; expect: unsat
; level: 0
; unknown-ok: pdkind houdini
; Two ways through four loops, and only one initial value for which one of them leads to the query.
(set-logic HORN)
(declare-fun a (Int Int) Bool)
(declare-fun b (Int Int) Bool)
(declare-fun c (Int Int) Bool)
(declare-fun d (Int Int) Bool)
(assert (forall ((n Int)) (=> (and (<= 0 n) (<= n 1)) (a n 0))))
(assert (forall ((x Int) (y Int)) (=> (and (a x y) (< x 10)) (a (+ x 2) y))))
(assert (forall ((x Int) (y Int)) (=> (and (a x y) (>= x 10)) (b x y))))
(assert (forall ((x Int) (y Int)) (=> (and (a x y) (>= x 10)) (c x y))))
(assert (forall ((x Int) (y Int)) (=> (and (b x y) (> x 0)) (b (- x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (c x y) (> x 0)) (c (- x 2) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (b x y) (<= x 0)) (d x y))))
(assert (forall ((x Int) (y Int)) (=> (and (c x y) (< x 0)) (d x y))))
(assert (forall ((x Int) (y Int)) (=> (d x y) (d x (+ y 3)))))
(assert (forall ((x Int) (y Int)) (=> (and (d x y) (= y 15) (< x 0)) false)))
(check-sat)
