; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind
; Repeated subtraction never makes a number negative.
(set-logic HORN)
(declare-fun q (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (>= x 0) (>= y 0)) (q x y))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (> x y)) (q (- x y) y))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (<= x y)) (q x (- y x)))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (= x (- 1))) false)))
(check-sat)
