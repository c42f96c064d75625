; test: chc
; expect: sat
; level: 0
; No signed overflow below a bound.
(set-logic HORN)
(declare-fun inv ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (inv #x00 #x10))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (inv x y) (bvslt x y)) (inv (bvadd x #x01) y))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (inv x y) (bvslt x #x00)) false)))
(check-sat)
