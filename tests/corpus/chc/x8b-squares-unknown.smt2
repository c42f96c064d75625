; test: chc
; expect: sat
; level: 2
; unknown-ok: spacer bmc kind split-tpa tpa pdkind imc lawi dar pa ic3ia trl houdini
; Squares are never neighbours, but no formula of linear arithmetic shows it.
(set-logic HORN)
(declare-fun sq (Int Int) Bool)
(assert (sq 1 0))
(assert (forall ((n Int) (x Int)) (=> (sq n x) (sq (+ n 2) (+ x n)))))
(assert (forall ((n Int) (m Int) (x Int)) (=> (and (> x 1) (sq n x) (sq m (+ x 1))) false)))
(check-sat)
