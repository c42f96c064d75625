; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind tpa imc lawi dar ic3ia houdini
; Obligations walk along a line that their lemmas do not see.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((y Int)) (=> (> y 5) (p 0 y))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 3)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 700) (<= y 2100)) false)))
(check-sat)
