; test: chc
; expect: unsat
; level: 0
; At one place the last write wins.
(set-logic HORN)
(declare-fun p ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (p (store (store a i 1) j 2) (store (store a j 2) i 1))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (p a b) (distinct a b)) false)))
(check-sat)
