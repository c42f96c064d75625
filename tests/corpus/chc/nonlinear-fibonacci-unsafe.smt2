; test: chc
; expect: unsat
; level: 0
; unknown-ok: kind split-tpa tpa pdkind imc lawi dar ic3ia trl
(set-logic HORN)
(declare-fun fib (Int Int) Bool)
(assert (! (forall ((n Int)) (=> (and (>= n 0) (<= n 1)) (fib n n))) :named base))
(assert (! (forall ((n Int) (a Int) (b Int)) (=> (and (>= n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))) :named sum))
(assert (! (forall ((r Int)) (=> (and (fib 9 r) (>= r 34)) false)) :named |the goal|))
(check-sat)
