; test: chc
; expect: sat
; level: 0
; A swap leaves other cells alone.
(set-logic HORN)
(declare-fun swapped ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (swapped a (store (store a i (select a j)) j (select a i)) i j)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (j Int) (k Int)) (=> (and (swapped a b i j) (distinct k i j) (distinct (select a k) (select b k))) false)))
(check-sat)
