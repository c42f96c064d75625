; test: chc
; expect: sat
; level: 0
; A counter stops at its bound.
(set-logic HORN)
(declare-fun inv ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (inv #x00000000 #x0000000a))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32))) (=> (and (inv x y) (bvult x y)) (inv (bvadd x #x00000001) y))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32))) (=> (and (inv x y) (bvugt x y)) false)))
(check-sat)
