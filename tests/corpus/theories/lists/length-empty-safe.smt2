; test: chc
; expect: sat
; level: 0
; unknown-ok: yes
; The empty list has length zero.
(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun len (L Int) Bool)
(assert (len nil 0))
(assert (forall ((x Int) (u L) (n Int)) (=> (len u n) (len (cons x u) (+ n 1)))))
(assert (forall ((u L) (n Int)) (=> (and (len u n) (= u nil) (> n 0)) false)))
(check-sat)
