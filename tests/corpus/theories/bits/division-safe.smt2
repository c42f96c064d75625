; test: chc
; expect: sat
; level: 0
; A third of a byte.
(set-logic HORN)
(declare-fun inv ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (inv x (bvudiv x #x03))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (inv x y) (bvugt y #x55)) false)))
(check-sat)
