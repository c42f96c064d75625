; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind imc lawi dar
; A bound drifts with the level; what matters is the other literal.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (or (= z y) (= z (+ y 1)))) (p (+ x 1) z))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x 100) (<= y (- 1))) false)))
(check-sat)
