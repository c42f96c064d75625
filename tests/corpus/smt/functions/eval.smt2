; test: smt
; expect: sat
; level: 0
; The value of one term after another.
(declare-sort S 0)
(declare-fun f (S) S)
(declare-fun n (S) Int)
(declare-const a S)
(assert (distinct a (f a)))
(assert (= (n a) 5))
(assert (= (n (f a)) (- (n a))))
(check-sat)
(get-model)
(eval (n a))
(eval (+ (n a) (n (f a))))
(eval (f a))
(eval (= a (f (f a))))
