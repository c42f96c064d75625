; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc
; The greatest common divisor of a number and itself.
(set-logic HORN)
(declare-fun g (Int Int Int) Bool)
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m n) (= r m)) (g m n r))))
(assert (forall ((m Int) (n Int) (r Int) (a Int)) (=> (and (> m n) (= a (- m n)) (g a n r)) (g m n r))))
(assert (forall ((m Int) (n Int) (r Int) (b Int)) (=> (and (< m n) (= b (- n m)) (g m b r)) (g m n r))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (>= m 0) (= m n) (g m n r) (> r m)) false)))
(check-sat)
