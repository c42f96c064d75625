; test: chc
; expect: sat
; level: 0
; unknown-ok: split-tpa tpa kind pdkind imc lawi dar ic3ia
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (inv 0 0))
(assert (forall ((i Int) (j Int)) (=> (and (inv i j) (<= i 4000)) (inv (+ i 1) (+ j 2)))))
(assert (forall ((i Int) (j Int)) (=> (inv i j) (<= j 12000))))
(check-sat)
