; test: chc
; expect: unsat
; level: 0
; unknown-ok: spacer kind pdkind imc lawi dar pa ic3ia houdini
; A loop with two phases, of which the second has to be run to its end: 2000 steps.
(set-logic HORN)
(declare-fun inv (Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (n Int)) (=> (and (= x 0) (= y n) (= n 1000)) (inv x y n))))
(assert (forall ((x Int) (y Int) (n Int) (u Int) (v Int))
  (=> (and (inv x y n) (< x (* 2 n)) (= u (+ x 1)) (= v (ite (> u n) (+ y 1) y))) (inv u v n))))
(assert (forall ((x Int) (y Int) (n Int)) (=> (and (inv x y n) (>= x (* 2 n)) (= y (* 2 n))) false)))
(check-sat)
