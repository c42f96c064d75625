; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc
(set-logic HORN)
(declare-fun inv (Bool Bool) Bool)
(assert (forall ((x Bool) (y Bool)) (=> (and (not x) y) (inv x y))))
(assert (forall ((x Bool) (y Bool)) (=> (inv x y) (inv (not x) (not y)))))
(assert (forall ((x Bool) (y Bool)) (=> (and (inv x y) (= x y)) false)))
(check-sat)
