; test: chc
; expect: unsat
; level: 0
; Equal cells in a range are not equal arrays.
(set-logic HORN)
(declare-fun inv (Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int))) (inv 0 n a b)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int))) (=> (and (inv i n a b) (< i n)) (inv (+ i 1) n a (store b i (select a i))))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int))) (=> (and (inv i n a b) (> n 2) (= i n) (distinct a b)) false)))
(check-sat)
