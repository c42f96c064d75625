; test: chc
; expect: unsat
; level: 0
; unknown-ok: spacer bmc kind split-tpa tpa pdkind ic3ia imc lawi dar pa houdini
; An inner loop with one iteration more each time: 5 · 10²³ steps.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< y x)) (p x (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= y x)) (p (+ x 1) 0))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x 1000000000000)) false)))
(check-sat)
