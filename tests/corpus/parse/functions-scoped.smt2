; test: parse
; expect: unsat sat unsat
; level: 0
; A sort and a function end with their scope, and may come back in another shape.
(declare-const x Int)
(push 1)
(declare-sort S 0)
(declare-fun f (Int) S)
(declare-fun g (S) Int)
(assert (distinct (g (f (+ x 1))) (g (f (- x (- 1))))))
(check-sat)
(pop 1)
(push 1)
(declare-sort S 0)
(declare-fun f (S Bool) Int)
(declare-const a S)
(assert (< (f a true) x (f a false)))
(check-sat)
(get-model)
(push 1)
(assert (= (f a (= x x)) (f a (distinct x x))))
(check-sat)
(pop 2)
