; test: chc
; expect: unsat
; level: 0
; unknown-ok: spacer bmc kind split-tpa tpa pdkind ic3ia imc lawi dar pa
; Steps of two kinds by turns, 2 · 10¹² of them: a remainder decides which.
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (p 0 0 0))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= (mod x 2) 0)) (p (+ x 1) (+ y 1) z))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (not (= (mod x 2) 0))) (p (+ x 1) y (+ z 1)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (>= y 1000000000000) (= z y)) false)))
(check-sat)
