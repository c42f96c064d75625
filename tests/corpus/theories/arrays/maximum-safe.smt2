; test: chc
; expect: sat
; level: 0
; The largest element so far.
(set-logic HORN)
(declare-fun inv (Int Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (inv 0 (select a 0) a)))
(assert (forall ((i Int) (m Int) (a (Array Int Int))) (=> (inv i m a) (inv (+ i 1) (ite (< m (select a (+ i 1))) (select a (+ i 1)) m) a))))
(assert (forall ((i Int) (m Int) (a (Array Int Int)) (k Int)) (=> (and (inv i m a) (<= 0 k) (<= k i) (> (select a k) m)) false)))
(check-sat)
