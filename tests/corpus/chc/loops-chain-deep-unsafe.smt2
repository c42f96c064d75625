; test: chc
; expect: unsat
; level: 0
; unknown-ok: spacer kind pdkind imc lawi dar pa ic3ia houdini
; Two loops, each of which has to be run to its end: 1000 steps.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 500)) (p (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x 500)) (q x y))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (> x 0)) (q (- x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (<= x 0) (= y 500)) false)))
(check-sat)
