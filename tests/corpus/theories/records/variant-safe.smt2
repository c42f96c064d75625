; test: chc
; expect: sat
; level: 0
; A selector under its tester.
(set-logic HORN)
(declare-datatypes ((Cell 0)) (((none) (num (get Int)) (ref (to Int)))))
(declare-fun p (Cell Int) Bool)
(assert (p none 0))
(assert (forall ((c Cell) (n Int)) (=> (p c n) (p (num n) (+ n 1)))))
(assert (forall ((c Cell) (n Int)) (=> (and (p c n) ((_ is num) c) (>= (get c) n)) false)))
(check-sat)
