; test: chc
; expect: unsat
; level: 0
; The bit falls out on the left.
(set-logic HORN)
(declare-fun inv ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (inv #x01 #x00))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (inv x y) (inv (bvshl x #x01) (bvor y x)))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (inv x y) (= x #x00)) false)))
(check-sat)
