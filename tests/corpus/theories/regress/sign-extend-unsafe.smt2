; test: chc
; expect: unsat
; level: 0
; The sign is copied (in the spirit of Eldarica#59).
(set-logic HORN)
(declare-fun p ((_ BitVec 8)) Bool)
(assert (p ((_ sign_extend 4) #xe)))
(assert (forall ((x (_ BitVec 8))) (=> (and (p x) (= x #xfe)) false)))
(check-sat)
