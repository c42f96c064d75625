; test: chc
; expect: unsat
; level: 0
; unknown-ok: kind split-tpa tpa pdkind imc lawi dar ic3ia trl
; Clauses of conjunctions, disjunctions, choices, equivalences and definitions, and variables of one name.
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(define-fun above ((x Int)) Bool (exists ((y Int)) (and (q y) (> y x))))
(assert (let ((start (p 0))) (and start (q 6) start)))
(assert (forall ((x Int)) (=> (and (p x) (or (above x) (< x 2))) (ite (< x 3) (p (+ x 1)) (q (* 2 x))))))
(assert (forall ((x Int)) (=> (> x 8) (= (q x) (p (+ x 20))))))
(assert (not (and (exists ((x Int)) (and (q x) (> x 7))) (exists ((x Int)) (and (p x) (= x 4))) (above 5))))
(assert (forall ((x Int)) (=> (and (p x) (above x) (above (+ x 1))) (p (+ x 1)))))
(check-sat)
