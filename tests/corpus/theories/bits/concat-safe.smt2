; test: chc
; expect: sat
; level: 0
; Two equal halves.
(set-logic HORN)
(declare-fun inv ((_ BitVec 4) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 4))) (inv x (concat x x))))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 8))) (=> (and (inv x y) (distinct ((_ extract 7 4) y) ((_ extract 3 0) y))) false)))
(check-sat)
