; test: chc
; expect: sat
; level: 0
; Indices that are arrays differ because an element does.
(set-logic HORN)
(declare-fun p ((Array (Array Bool Bool) Bool) Bool) Bool)
(assert (forall ((b Bool)) (p (store ((as const (Array (Array Bool Bool) Bool)) true) ((as const (Array Bool Bool)) b) b) b)))
(assert (forall ((h (Array (Array Bool Bool) Bool)) (b Bool))
  (=> (and (p h b) (= h (store ((as const (Array (Array Bool Bool) Bool)) true) (store ((as const (Array Bool Bool)) b) true true) false))) false)))
(check-sat)
