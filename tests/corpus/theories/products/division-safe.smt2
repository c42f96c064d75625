; test: chc
; expect: sat
; level: 0
; Division by an unknown, said by a product: the quotient is no larger than the dividend.
(set-logic HORN)
(declare-fun start (Int Int) Bool)
(declare-fun end (Int Int Int) Bool)
(assert (forall ((n Int) (d Int)) (=> (and (>= n 0) (> d 0)) (start n d))))
(assert (forall ((n Int) (d Int) (q Int) (r Int))
  (=> (and (start n d) (= n (+ (* d q) r)) (<= 0 r) (< r d) (>= q 0)) (end n d q))))
(assert (forall ((n Int) (d Int) (q Int)) (=> (and (end n d q) (> q n)) false)))
(check-sat)
