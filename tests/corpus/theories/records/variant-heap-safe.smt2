; test: chc
; expect: sat
; level: 0
; Nothing is behind the end of the heap.
(set-logic HORN)
(declare-datatypes ((Cell 0)) (((none) (num (get Int)) (ref (to Int)))))
(declare-fun heap ((Array Int Cell) Int) Bool)
(assert (heap ((as const (Array Int Cell)) none) 0))
(assert (forall ((h (Array Int Cell)) (n Int)) (=> (heap h n) (heap (store h (+ n 1) (num n)) (+ n 1)))))
(assert (forall ((h (Array Int Cell)) (n Int) (i Int)) (=> (and (heap h n) (> i n) (not ((_ is none) (select h i)))) false)))
(check-sat)
