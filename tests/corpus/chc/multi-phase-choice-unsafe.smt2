; test: chc
; expect: unsat
; level: 0
; unknown-ok: kind
; Steps of one or two, and a bad state that needs the right mixture of them in the second phase.
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int) (i Int) (v Int))
  (=> (and (inv x y) (< x 96) (<= 1 i) (<= i 2) (= v (ite (>= x 48) (+ y i) y))) (inv (+ x i) v))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (= x 97) (= y 49)) false)))
(check-sat)
