; test: chc
; expect: sat
; level: 0
; There are four arrays of two truth values, so two writes do not fill an array over them.
(set-logic HORN)
(declare-fun p ((Array (Array Bool Bool) Bool)) Bool)
(assert (p (store (store ((as const (Array (Array Bool Bool) Bool)) false) ((as const (Array Bool Bool)) true) true)
  (store ((as const (Array Bool Bool)) false) false true) true)))
(assert (=> (= ((as const (Array (Array Bool Bool) Bool)) true)
  (store (store ((as const (Array (Array Bool Bool) Bool)) false) ((as const (Array Bool Bool)) true) true)
    (store ((as const (Array Bool Bool)) false) false true) true)) false))
(assert (forall ((h (Array (Array Bool Bool) Bool))) (=> (and (p h) (= h ((as const (Array (Array Bool Bool) Bool)) true))) false)))
(check-sat)
