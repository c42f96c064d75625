; test: chc
; expect: unsat
; level: 0
; Two factors above one whose product is 77.
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (> x 1) (> y x) (= z (* x y))) (p x y z))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= z 77) (< x 20) (< y 20)) false)))
(check-sat)
