; test: chc
; expect: sat
; level: 0
; A sign extension is no zero extension (in the spirit of Eldarica#59).
(set-logic HORN)
(declare-fun p ((_ BitVec 8)) Bool)
(assert (p ((_ sign_extend 4) #xe)))
(assert (p ((_ zero_extend 4) #x7)))
(assert (forall ((x (_ BitVec 8))) (=> (and (p x) (= x #x0e)) false)))
(check-sat)
