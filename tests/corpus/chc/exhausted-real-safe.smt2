; test: chc
; expect: sat
; level: 0
; unknown-ok: kind tpa imc lawi dar
(set-logic HORN)
(declare-fun inv (Real Real) Bool)
(assert (forall ((x Real)) (=> (and (<= 0.0 x) (<= x 1.0)) (inv x 0.0))))
(assert (forall ((i Real) (j Real)) (or (> i 60.0) (not (inv i j)) (inv (+ i 1.0) (+ j 2.0)))))
(assert (forall ((i Real) (j Real)) (=> (inv i j) (<= j 180.0))))
(check-sat)
