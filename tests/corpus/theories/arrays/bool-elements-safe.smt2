; test: chc
; expect: sat
; level: 0
; A set as an array of truth values.
(set-logic HORN)
(declare-fun seen ((Array Int Bool) Int) Bool)
(assert (seen ((as const (Array Int Bool)) false) 0))
(assert (forall ((a (Array Int Bool)) (n Int)) (=> (seen a n) (seen (store a n true) (+ n 1)))))
(assert (forall ((a (Array Int Bool)) (n Int) (k Int)) (=> (and (seen a n) (select a k) (>= k n)) false)))
(check-sat)
