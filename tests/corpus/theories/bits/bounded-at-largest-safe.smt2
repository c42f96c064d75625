; test: chc
; expect: sat
; level: 0
; The bound is the largest number.
(set-logic HORN)
(declare-fun inv ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (inv #x00 #xff))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (inv x y) (bvult x y)) (inv (bvadd x #x01) y))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (inv x y) (bvugt x y)) false)))
(check-sat)
