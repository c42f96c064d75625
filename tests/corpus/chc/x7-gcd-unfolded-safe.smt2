; test: chc
; expect: sat
; unknown-ok: houdini
; level: 0
; One call of the recursive divisor, unfolded once.
(set-logic HORN)
(declare-fun g (Int Int Int) Bool)
(declare-fun h (Int Int Int) Bool)
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m n) (= r m)) (g m n r))))
(assert (forall ((m Int) (n Int) (r Int) (a Int)) (=> (and (> m n) (= a (- m n)) (h a n r)) (g m n r))))
(assert (forall ((m Int) (n Int) (r Int) (b Int)) (=> (and (< m n) (= b (- n m)) (h m b r)) (g m n r))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m n) (= r m)) (h m n r))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (>= m 0) (= m n) (g m n r) (> r m)) false)))
(check-sat)
