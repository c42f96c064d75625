; test: chc
; expect: unsat
; level: 0
; What is written is read from an array with indices of another sort.
(set-logic HORN)
(declare-fun p ((Array Int Int) (Array Bool Int)) Bool)
(assert (forall ((a (Array Bool Int)) (b (Array Int Int))) (=> (= (store a false 0) (store a true (select b 0))) (p b a))))
(assert (forall ((a (Array Bool Int)) (b (Array Int Int))) (=> (and (p b a) (= (select b 0) (select a true)) (= (select a false) 0)) false)))
(check-sat)
