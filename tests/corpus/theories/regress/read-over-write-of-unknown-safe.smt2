; test: chc
; expect: sat
; level: 0
; The place of a read decides what a projection may keep (in the spirit of Z3#7554).
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(declare-fun zero (Int) Bool)
(assert (zero 0))
(assert (p 0 0 5))
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (=> (p i 0 5) (p (+ i 1) j (select (store a i 0) j)))))
(assert (forall ((i Int)) (=> (and (p 1 i 5) (zero i)) false)))
(check-sat)
