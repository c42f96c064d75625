; test: chc
; expect: sat
; level: 0
; unknown-ok: yes
; Only empty lists make the empty list.
(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun app (L L L) Bool)
(declare-fun len (L Int) Bool)
(assert (forall ((y L)) (app nil y y)))
(assert (forall ((x Int) (u L) (y L) (z L)) (=> (app u y z) (app (cons x u) y (cons x z)))))
(assert (len nil 0))
(assert (forall ((x Int) (u L) (n Int)) (=> (len u n) (len (cons x u) (+ n 1)))))
(assert (forall ((u L) (y L)) (=> (and (app u y nil) ((_ is cons) u)) false)))
(check-sat)
