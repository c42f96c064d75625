; test: chc
; expect: unsat
; level: 0
; unknown-ok: spacer bmc kind split-tpa tpa pdkind ic3ia imc lawi dar pa houdini
; A loop with two phases of 10¹² steps each.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 1000000000000))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (ite (< x 1000000000000) y (+ y 1))))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 2000000000000) (= y x)) false)))
(check-sat)
