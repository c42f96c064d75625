; test: chc
; expect: unsat
; level: 0
; Selectors on their own constructors only.
(set-logic HORN)
(declare-datatypes ((Cell 0)) (((none) (num (get Int)) (ref (to Int)))))
(declare-fun p (Cell Int) Bool)
(assert (p (num 3) 3))
(assert (forall ((c Cell) (n Int)) (=> (and (p c n) ((_ is num) c) (= (get c) 3)) (p (ref n) n))))
(assert (forall ((c Cell) (n Int)) (=> (and (p c n) ((_ is ref) c) (= (to c) 3)) false)))
(check-sat)
