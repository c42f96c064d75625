; test: chc
; expect: unsat
; level: 0
; A quotient by zero has all bits.
(set-logic HORN)
(declare-fun inv ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (inv x (bvudiv #x07 x))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (inv x y) (= y #xff)) false)))
(check-sat)
