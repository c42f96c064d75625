; test: smt
; expect: unsat
; level: 0
; The greater and the lesser of two numbers sum to both.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(define-fun max ((a Real) (b Real)) Real (ite (> a b) a b))
(define-fun min ((a Real) (b Real)) Real (ite (> a b) b a))
(assert (not (= (+ (max x y) (min x y)) (+ x y))))
(check-sat)
