; test: chc
; expect: unsat
; level: 0
; Steps of five reach three modulo sixteen.
(set-logic HORN)
(declare-fun inv ((_ BitVec 4) (_ BitVec 4)) Bool)
(assert (inv #x0 #x1))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (inv x y) (inv (bvadd x #x5) y))))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (and (inv x y) (= x #x3)) false)))
(check-sat)
