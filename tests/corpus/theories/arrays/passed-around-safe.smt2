; test: chc
; expect: sat
; level: 0
; The arrays do not matter.
(set-logic HORN)
(declare-fun p (Int (Array Int Int)) Bool)
(declare-fun q (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (p 0 a)))
(assert (forall ((x Int) (a (Array Int Int)) (b (Array Int Int))) (=> (and (p x a) (< x 10)) (q (+ x 1) b))))
(assert (forall ((x Int) (a (Array Int Int))) (=> (q x a) (p x a))))
(assert (forall ((x Int) (a (Array Int Int))) (=> (and (p x a) (> x 10)) false)))
(check-sat)
