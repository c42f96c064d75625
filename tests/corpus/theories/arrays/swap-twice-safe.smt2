; test: chc
; expect: sat
; level: 0
; Two swaps undo each other; extensionality.
(set-logic HORN)
(declare-fun swapped ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (swapped a (store (store a i (select a j)) j (select a i)) i j)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (j Int)) (=> (and (swapped a b i j) (swapped b c i j) (distinct a c)) false)))
(check-sat)
