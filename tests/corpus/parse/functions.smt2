; test: parse
; expect: sat unsat
; level: 0
; Declared functions: nested, over sums and formulas, with results of all sorts.
(set-logic QF_UFLIRA)
(declare-sort S 0)
(declare-fun f (S Int) S)
(declare-fun |of real| (Real) Int)
(declare-fun b (Bool Bool) Bool)
(declare-fun e (Bool) S)
(declare-const a S)
(declare-const x Int)
(declare-const u Real)
(assert (= a (f (f a (+ x 1)) (|of real| (- u 0.5)))))
(assert (b (= a (e true)) (b (< x 3) (distinct a (e (> x 3))))))
(assert (> (|of real| x) (* 2 (|of real| (to_real (+ x 1))))))
(assert (= x 7))
(check-sat)
(get-model)
(get-value ((f a 8) (|of real| 7.0) (b true false) (e (b false false)) (= a (e true))))
(assert (let ((f (e (= x 7))) (y (+ x 1))) (not (= (= f (e true)) (= y 8)))))
(check-sat)
