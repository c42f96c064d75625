; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc tpa pdkind imc lawi dar ic3ia
; An even counter misses an odd number.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 1000)) (p (+ x 2)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 777)) false)))
(check-sat)
