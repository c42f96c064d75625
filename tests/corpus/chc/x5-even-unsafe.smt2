; test: chc
; expect: unsat
; level: 0
; A counter in steps of two meets six.
(set-logic HORN)
(declare-fun q (Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> true (q 0 x y))))
(assert (forall ((z Int) (x Int) (y Int)) (=> (q z x y) (q (+ z 2) (+ x 1) (+ y 1)))))
(assert (forall ((z Int) (x Int) (y Int)) (=> (and (q z x y) (= z 6)) false)))
(check-sat)
