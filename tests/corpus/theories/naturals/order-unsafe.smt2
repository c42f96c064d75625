; test: chc
; expect: unsat
; level: 0
; Three different numbers in order.
(set-logic HORN)
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun plus (Nat Nat Nat) Bool)
(declare-fun le (Nat Nat) Bool)
(declare-fun even (Nat) Bool)
(assert (forall ((y Nat)) (plus zero y y)))
(assert (forall ((x Nat) (y Nat) (z Nat)) (=> (plus x y z) (plus (succ x) y (succ z)))))
(assert (forall ((y Nat)) (le zero y)))
(assert (forall ((x Nat) (y Nat)) (=> (le x y) (le (succ x) (succ y)))))
(assert (even zero))
(assert (forall ((x Nat)) (=> (even x) (even (succ (succ x))))))
(assert (forall ((x Nat) (y Nat) (z Nat)) (=> (and (le x y) (le y z) (distinct x y z)) false)))
(check-sat)
