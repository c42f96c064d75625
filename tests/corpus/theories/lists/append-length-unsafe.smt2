; test: chc
; expect: unsat
; level: 0
; One element and two make three.
(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun app (L L L) Bool)
(declare-fun len (L Int) Bool)
(assert (forall ((y L)) (app nil y y)))
(assert (forall ((x Int) (u L) (y L) (z L)) (=> (app u y z) (app (cons x u) y (cons x z)))))
(assert (len nil 0))
(assert (forall ((x Int) (u L) (n Int)) (=> (len u n) (len (cons x u) (+ n 1)))))
(assert (forall ((u L) (y L) (z L) (n Int) (k Int)) (=> (and (app u y z) (len u n) (len z k) (= n 1) (= k 3)) false)))
(check-sat)
