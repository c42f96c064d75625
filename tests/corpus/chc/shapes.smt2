; test: chc
; expect: unsat
; level: 0
(set-option :produce-models true)
(set-logic HORN)
(declare-fun p (Int Bool) Bool)
(define-fun small ((a Int)) Bool (< a 3))
(assert (p 0 true))
(assert (forall ((x Int)) (forall ((b Bool)) (or (not (p x b)) (not (small x)) (p (+ x 1) (not b))))))
(assert (not (exists ((x Int) (b Bool)) (and (p x b) (let ((y (- x 3))) (= y 0)) (not b)))))
(check-sat)
(exit)
