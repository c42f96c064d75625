; test: chc
; expect: sat
; level: 0
; A loop copies an array.
(set-logic HORN)
(declare-fun inv (Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int))) (inv 0 n a b)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int))) (=> (and (inv i n a b) (< i n)) (inv (+ i 1) n a (store b i (select a i))))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (k Int)) (=> (and (inv i n a b) (<= 0 k) (< k i) (distinct (select a k) (select b k))) false)))
(check-sat)
