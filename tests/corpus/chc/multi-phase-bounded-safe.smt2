; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc
; The second variable moves only in the second phase, and never overtakes the first.
(set-logic HORN)
(declare-fun inv (Real Real) Bool)
(assert (forall ((x Real) (y Real)) (=> (and (= x 0.0) (<= y 0.0)) (inv x y))))
(assert (forall ((x Real) (y Real)) (=> (inv x y) (inv (+ x 1.0) (ite (< x 50.0) y (+ y 1.0))))))
(assert (forall ((x Real) (y Real)) (=> (and (inv x y) (> y x)) false)))
(check-sat)
