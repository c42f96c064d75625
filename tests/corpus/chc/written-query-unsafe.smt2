; test: chc
; expect: sat
; level: 0
; unknown-ok: kind split-tpa tpa pdkind imc lawi dar ic3ia trl
; The clauses of a query come last, and are those of its negation.
(set-logic HORN)
(declare-rel p (Int))
(declare-rel q (Int Int))
(declare-var x Int)
(declare-var y Int)
(rule (p 1))
(rule (=> (and (p x) (p x)) (p (* 2 x))))
(rule (=> (and (p x) (p y) (< x y)) (q x y)))
(query (and (q x y) (or (p (+ x y)) (= y (* 8 x)))))
