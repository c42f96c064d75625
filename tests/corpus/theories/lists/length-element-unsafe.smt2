; test: chc
; expect: unsat
; level: 0
; A list with given elements.
(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun len (L Int) Bool)
(assert (len nil 0))
(assert (forall ((x Int) (u L) (n Int)) (=> (len u n) (len (cons x u) (+ n 1)))))
(assert (forall ((u L) (n Int)) (=> (and (len u n) (= n 2) (= (hd u) 7) (= (hd (tl u)) 9)) false)))
(check-sat)
