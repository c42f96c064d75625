; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind split-tpa tpa pdkind imc lawi dar ic3ia trl houdini
; Squares of one sequence are never neighbours; the reason is parity.
(set-logic HORN)
(declare-fun sq (Int Int) Bool)
(assert (sq 1 0))
(assert (forall ((n Int) (x Int)) (=> (sq n x) (sq (+ n 2) (+ x n)))))
(assert (forall ((n Int) (x Int)) (=> (and (> x 1) (sq n x) (sq n (+ x 1))) false)))
(check-sat)
