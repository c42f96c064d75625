; test: chc
; expect: unsat
; level: 0
; Three swaps are the identity if the places are one.
(set-logic HORN)
(declare-fun swapped ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (swapped a (store (store a i (select a j)) j (select a i)) i j)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (j Int)) (=> (and (swapped a b i j) (swapped b c j i) (swapped c a i j)) false)))
(check-sat)
