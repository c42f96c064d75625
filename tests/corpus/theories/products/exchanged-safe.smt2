; test: chc
; expect: sat
; level: 0
; A quotient times the divisor is no larger than the dividend; the product is written with its factors exchanged and renamed.
(set-logic HORN)
(declare-fun start (Int Int) Bool)
(declare-fun end (Int Int) Bool)
(assert (forall ((n Int) (d Int)) (=> (and (>= n 0) (> d 0)) (start n d))))
(assert (forall ((n Int) (d Int) (e Int) (q Int) (s Int) (r Int))
  (=> (and (start n d) (= n (+ (* d q) r)) (<= 0 r) (< r d) (= s q) (= e d) (> (* s e) n)) (end n d))))
(assert (forall ((n Int) (d Int)) (=> (end n d) false)))
(check-sat)
