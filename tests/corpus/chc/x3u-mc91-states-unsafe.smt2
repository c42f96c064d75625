; test: chc
; expect: unsat
; level: 0
; unknown-ok: kind split-tpa tpa pdkind imc lawi dar ic3ia trl
; McCarthy's function by states of its program, called with at most 102.
(set-logic HORN)
(declare-fun r0 (Int Int) Bool)
(declare-fun r1 (Int Int) Bool)
(declare-fun r2 (Int Int) Bool)
(declare-fun r3 (Int Int) Bool)
(declare-fun rf (Int Int) Bool)
(declare-fun r4 (Int Int) Bool)
(declare-fun r5 (Int Int) Bool)
(declare-fun r6 (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (=> true (r0 n r))))
(assert (forall ((n Int) (r Int)) (=> (and (r0 n r) (> n 100)) (r1 n r))))
(assert (forall ((n Int) (r Int)) (=> (and (r0 n r) (<= n 100)) (r2 n r))))
(assert (forall ((n Int) (r Int) (s Int)) (=> (and (r2 n r) (rf (+ n 11) s)) (r3 n s))))
(assert (forall ((n Int) (r Int)) (=> (r1 n r) (rf n (- n 10)))))
(assert (forall ((n Int) (r Int) (s Int)) (=> (and (r3 n r) (rf r s)) (rf n s))))
(assert (forall ((x Int) (y Int)) (=> true (r4 x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (r4 x y) (<= z 102)) (r5 z y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (r5 x y) (rf x z)) (r6 x z))))
(assert (forall ((x Int) (y Int)) (=> (and (r6 x y) (not (= y 91))) false)))
(check-sat)
