; test: chc
; expect: unsat
; level: 0
; Over truth values, two writes make an array constant.
(set-logic HORN)
(declare-fun p ((Array Bool Int) (Array Bool Int)) Bool)
(assert (p (store (store ((as const (Array Bool Int)) 0) true 1) false 1) ((as const (Array Bool Int)) 1)))
(assert (forall ((a (Array Bool Int)) (b (Array Bool Int))) (=> (and (p a b) (= a b)) false)))
(check-sat)
