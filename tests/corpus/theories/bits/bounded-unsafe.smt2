; test: chc
; expect: unsat
; level: 0
; It goes one too far.
(set-logic HORN)
(declare-fun inv ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (inv #x00000000 #x0000000a))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32))) (=> (and (inv x y) (bvule x y)) (inv (bvadd x #x00000001) y))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32))) (=> (and (inv x y) (bvugt x y)) false)))
(check-sat)
