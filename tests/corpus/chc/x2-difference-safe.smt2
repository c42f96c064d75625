; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind pdkind
; Two numbers count down together, so their difference stays.
(set-logic HORN)
(declare-fun l (Int Int Int Int) Bool)
(assert (forall ((i Int) (j Int)) (=> (and (>= i 0) (>= j 0)) (l i j i j))))
(assert (forall ((i Int) (j Int) (x Int) (y Int)) (=> (and (l i j x y) (not (= x 0))) (l i j (- x 1) (- y 1)))))
(assert (forall ((i Int) (j Int) (x Int) (y Int)) (=> (and (l i j x y) (= x 0) (= i j) (not (= x y))) false)))
(check-sat)
