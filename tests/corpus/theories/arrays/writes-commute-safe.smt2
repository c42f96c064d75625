; test: chc
; expect: sat
; level: 0
; Writes at different places commute.
(set-logic HORN)
(declare-fun p ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (=> (distinct i j) (p (store (store a i 1) j 2) (store (store a j 2) i 1)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (p a b) (distinct a b)) false)))
(check-sat)
