; test: chc
; expect: sat
; level: 0
; Money that an account lends to others stays below what it has: what is in the array at one argument, while others change.
(set-logic HORN)
(declare-fun bank (Int (Array Int Int) Int) Bool)
(declare-fun pays (Int (Array Int Int) Int (Array Int Int) Int) Bool)
(assert (forall ((me Int) (b (Array Int Int))) (=> (>= (select b me) 0) (bank me b 0))))
(assert (forall ((me Int) (b (Array Int Int)) (d Int) (v Int))
  (=> (and (bank me b d) (> v 0)) (bank me (store b me (+ (select b me) v)) (+ d v)))))
(assert (forall ((me Int) (b (Array Int Int)) (d Int) (a Int) (v Int))
  (=> (and (>= v 0) (<= v d) (not (= a me)))
      (pays me b d (store (store b me (- (select b me) v)) a (+ (select b a) v)) (- d v)))))
(assert (forall ((me Int) (b (Array Int Int)) (d Int) (c (Array Int Int)) (e Int))
  (=> (and (bank me b d) (pays me b d c e)) (bank me c e))))
(assert (forall ((me Int) (b (Array Int Int)) (d Int))
  (=> (and (bank me b d) (< (select b me) d)) false)))
(check-sat)
