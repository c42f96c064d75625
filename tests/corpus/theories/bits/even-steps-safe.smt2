; test: chc
; expect: sat
; level: 0
; Even numbers stay even, also when they wrap.
(set-logic HORN)
(declare-fun inv ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (inv #x00 #x01))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (inv x y) (inv (bvadd x #x02) y))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (inv x y) (= ((_ extract 0 0) x) #b1)) false)))
(check-sat)
