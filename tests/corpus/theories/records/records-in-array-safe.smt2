; test: chc
; expect: sat
; level: 0
; unknown-ok: yes
; An array of records; prices stay.
(set-logic HORN)
(declare-datatypes ((Item 0)) (((item (price Int) (sold Bool)))))
(declare-fun shop ((Array Int Item) Int) Bool)
(assert (shop ((as const (Array Int Item)) (item 1 false)) 0))
(assert (forall ((a (Array Int Item)) (n Int) (i Int)) (=> (and (shop a n) (not (sold (select a i)))) (shop (store a i (item (price (select a i)) true)) (+ n (price (select a i)))))))
(assert (forall ((a (Array Int Item)) (n Int) (i Int)) (=> (and (shop a n) (distinct (price (select a i)) 1)) false)))
(check-sat)
