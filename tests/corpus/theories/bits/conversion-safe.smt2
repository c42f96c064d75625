; test: chc
; expect: sat
; level: 0
; A byte counts modulo 256.
(set-logic HORN)
(declare-fun inv ((_ BitVec 8) Int) Bool)
(assert (inv #x00 0))
(assert (forall ((x (_ BitVec 8)) (n Int)) (=> (inv x n) (inv (bvadd x #x01) (+ n 1)))))
(assert (forall ((x (_ BitVec 8)) (n Int)) (=> (and (inv x n) (distinct (ubv_to_int x) (mod n 256))) false)))
(check-sat)
