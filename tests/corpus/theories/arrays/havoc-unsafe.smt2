; test: chc
; expect: unsat
; level: 0
; The array is chosen once and decides each step.
(set-logic HORN)
(declare-fun p (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (p 0 a)))
(assert (forall ((x Int) (a (Array Int Int))) (=> (and (p x a) (= (select a x) (+ x 1))) (p (select a x) a))))
(assert (forall ((x Int) (a (Array Int Int))) (=> (and (p x a) (= x 5)) false)))
(check-sat)
