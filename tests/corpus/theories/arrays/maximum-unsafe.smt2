; test: chc
; expect: unsat
; level: 0
; The last cell was not looked at.
(set-logic HORN)
(declare-fun inv (Int Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (inv 0 0 a)))
(assert (forall ((i Int) (m Int) (a (Array Int Int))) (=> (inv i m a) (inv (+ i 1) (ite (< m (select a i)) (select a i) m) a))))
(assert (forall ((i Int) (m Int) (a (Array Int Int)) (k Int)) (=> (and (inv i m a) (<= 0 k) (<= k i) (> i 2) (> (select a k) m)) false)))
(check-sat)
