; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind imc
; The coefficients of predecessors grow for ever; variables have to be bounded one by one.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 1 1))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y x)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (<= y 0)) false)))
(check-sat)
