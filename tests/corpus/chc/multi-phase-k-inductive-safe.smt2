; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind pdkind pa houdini
; The second phase is never left behind without the first: a relation closed under two steps proves it.
(set-logic HORN)
(declare-fun inv (Int Int Int Int) Bool)
(assert (forall ((x Int) (z Int) (v Int) (w Int)) (=> (and (= v 0) (= w 0) (> x z)) (inv x z v w))))
(assert (forall ((x Int) (z Int) (v Int) (w Int)) (=> (and (inv x z v w) (< v 1000))
  (inv (+ x 1) (+ z 2) (ite (< x z) (+ v 1) v) (ite (< x z) w (+ w 1))))))
(assert (forall ((x Int) (z Int) (v Int) (w Int)) (=> (and (inv x z v w) (>= v 1000) (<= w 0)) false)))
(check-sat)
