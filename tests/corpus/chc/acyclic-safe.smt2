; test: chc
; expect: sat
; unknown-ok: houdini
; level: 0
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (> x 3) (p x))))
(assert (forall ((x Int)) (=> (p x) (q (* 2 x)))))
(assert (forall ((x Int)) (=> (and (q x) (< x 8)) false)))
(check-sat)
