; test: chc
; expect: sat
; level: 0
; unknown-ok: yes
; Halves of the way to one never arrive.
(set-logic HORN)
(declare-fun p (Int (Array Int Real)) Bool)
(assert (p 0 ((as const (Array Int Real)) 0.5)))
(assert (forall ((i Int) (a (Array Int Real))) (=> (p i a) (p (+ i 1) (store a i (/ (+ 1.0 (select a i)) 2.0))))))
(assert (forall ((i Int) (a (Array Int Real)) (k Int)) (=> (and (p i a) (>= (select a k) 1.0)) false)))
(check-sat)
