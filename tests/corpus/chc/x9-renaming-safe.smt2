; test: chc
; expect: sat
; unknown-ok: houdini
; level: 0
; A chain of copies without a query.
(set-logic HORN)
(declare-fun r (Int Int) Bool)
(declare-fun p (Int Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (p y z)) (r x z))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (p x y))))
(assert (forall ((x Int)) (=> (>= x 0) (q x x))))
(check-sat)
