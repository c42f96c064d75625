; test: chc
; expect: unsat
; level: 0
; 258 as a byte.
(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (inv 250))
(assert (forall ((n Int)) (=> (inv n) (inv (+ n 1)))))
(assert (forall ((n Int)) (=> (and (inv n) (= ((_ int_to_bv 8) n) #x02)) false)))
(check-sat)
