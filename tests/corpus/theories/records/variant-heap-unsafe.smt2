; test: chc
; expect: unsat
; level: 0
; A reference to the second cell.
(set-logic HORN)
(declare-datatypes ((Cell 0)) (((none) (num (get Int)) (ref (to Int)))))
(declare-fun heap ((Array Int Cell) Int) Bool)
(assert (heap ((as const (Array Int Cell)) none) 0))
(assert (forall ((h (Array Int Cell)) (n Int)) (=> (heap h n) (heap (store h (+ n 1) (ref n)) (+ n 1)))))
(assert (forall ((h (Array Int Cell)) (n Int)) (=> (and (heap h n) ((_ is ref) (select h n)) (= (to (select h n)) 2)) false)))
(check-sat)
