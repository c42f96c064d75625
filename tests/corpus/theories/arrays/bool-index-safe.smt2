; test: chc
; expect: sat
; level: 0
; Two counters in an array over truth values; a finite index sort.
(set-logic HORN)
(declare-fun p ((Array Bool Int) Int) Bool)
(assert (p ((as const (Array Bool Int)) 0) 0))
(assert (forall ((a (Array Bool Int)) (n Int) (b Bool)) (=> (p a n) (p (store a b (+ 1 (select a b))) (+ n 1)))))
(assert (forall ((a (Array Bool Int)) (n Int)) (=> (and (p a n) (distinct n (+ (select a true) (select a false)))) false)))
(check-sat)
