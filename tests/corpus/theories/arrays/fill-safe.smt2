; test: chc
; expect: sat
; level: 0
; A loop fills an array with one value.
(set-logic HORN)
(declare-fun inv (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (=> (>= n 0) (inv 0 n a))))
(assert (forall ((i Int) (n Int) (a (Array Int Int))) (=> (and (inv i n a) (< i n)) (inv (+ i 1) n (store a i 7)))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (k Int)) (=> (and (inv i n a) (>= i n) (<= 0 k) (< k n) (distinct (select a k) 7)) false)))
(check-sat)
