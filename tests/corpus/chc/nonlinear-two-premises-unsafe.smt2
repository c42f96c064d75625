; test: chc
; expect: unsat
; level: 0
; unknown-ok: kind split-tpa tpa pdkind imc lawi dar ic3ia trl
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 1))
(assert (forall ((x Int)) (=> (p x) (p (+ x 3)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (= (+ x y) 11)) false)))
(check-sat)
