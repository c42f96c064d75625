; test: chc
; expect: unsat
; level: 0
; unknown-ok: spacer bmc kind split-tpa tpa pdkind ic3ia imc lawi dar pa houdini
; A counter goes to 100 for 10¹² times: 101 · 10¹² steps, a repeat in a repeat.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 100)) (p (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 100)) (p 0 (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= y 1000000000000)) false)))
(check-sat)
