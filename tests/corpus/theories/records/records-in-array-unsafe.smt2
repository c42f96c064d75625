; test: chc
; expect: unsat
; level: 0
; Three things are sold.
(set-logic HORN)
(declare-datatypes ((Item 0)) (((item (price Int) (sold Bool)))))
(declare-fun shop ((Array Int Item) Int) Bool)
(assert (shop ((as const (Array Int Item)) (item 1 false)) 0))
(assert (forall ((a (Array Int Item)) (n Int) (i Int)) (=> (and (shop a n) (not (sold (select a i)))) (shop (store a i (item (price (select a i)) true)) (+ n (price (select a i)))))))
(assert (forall ((a (Array Int Item)) (n Int)) (=> (and (shop a n) (= n 3)) false)))
(check-sat)
