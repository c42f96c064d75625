; test: chc
; expect: unsat
; level: 0
; The array changes, its hash may.
(set-logic HORN)
(declare-fun p ((Array (Array Int Int) Int) (Array Int Int) Int) Bool)
(assert (forall ((h (Array (Array Int Int) Int)) (a (Array Int Int))) (p h a (select h a))))
(assert (forall ((h (Array (Array Int Int) Int)) (a (Array Int Int)) (v Int) (i Int)) (=> (p h a v) (p h (store a i 0) v))))
(assert (forall ((h (Array (Array Int Int) Int)) (a (Array Int Int)) (v Int)) (=> (and (p h a v) (distinct v (select h a))) false)))
(check-sat)
