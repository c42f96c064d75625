; test: chc
; expect: sat
; level: 0
; A swap by exclusive ors.
(set-logic HORN)
(declare-fun inv ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (inv #x35 #xc2))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (inv x y) (inv (bvxor (bvxor x y) x) (bvxor (bvxor (bvxor x y) x) (bvxor x y))))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (inv x y) (= x y)) false)))
(check-sat)
