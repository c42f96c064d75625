; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind imc
(set-logic HORN)
(declare-fun inv (Real Real) Bool)
(assert (forall ((x Real) (y Real)) (=> (and (= x 0.0) (= y 0.0)) (inv x y))))
(assert (forall ((x Real) (y Real)) (=> (inv x y) (inv (+ x y) (+ y 1.0)))))
(assert (forall ((x Real) (y Real)) (=> (and (inv x y) (< x 0.0)) false)))
(check-sat)
