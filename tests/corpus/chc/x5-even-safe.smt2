; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind pdkind
; A counter in steps of two misses five.
(set-logic HORN)
(declare-fun q (Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> true (q 0 x y))))
(assert (forall ((z Int) (x Int) (y Int)) (=> (q z x y) (q (+ z 2) (+ x 1) (+ y 1)))))
(assert (forall ((z Int) (x Int) (y Int)) (=> (and (q z x y) (= z 5)) false)))
(check-sat)
