; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind split-tpa tpa pdkind imc lawi dar ic3ia trl
(set-logic HORN)
(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)
(assert (even 0))
(assert (forall ((n Int)) (=> (even n) (odd (+ n 1)))))
(assert (forall ((n Int)) (=> (odd n) (even (+ n 1)))))
(assert (forall ((n Int)) (=> (and (even n) (odd n)) false)))
(check-sat)
