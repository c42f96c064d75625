; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc
(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int)) (=> (inv x) (inv (ite (< x 10) (+ x 1) x)))))
(assert (forall ((x Int)) (=> (and (inv x) (> x 10)) false)))
(check-sat)
