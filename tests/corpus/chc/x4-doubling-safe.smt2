; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind tpa pdkind lawi dar ic3ia
; The inner loop keeps the second number even.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(declare-fun s (Int Int) Bool)
(assert (p 1000 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 0)) (s (- x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (s x y) (s x (+ (* 2 x) (* 2 y))))))
(assert (forall ((x Int) (y Int)) (=> (s x y) (p x (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (<= x 0) (or (= y 47) (not (= x 0)))) false)))
(check-sat)
