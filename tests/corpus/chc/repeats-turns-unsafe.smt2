; test: chc
; expect: unsat
; level: 0
; unknown-ok: spacer bmc kind split-tpa tpa pdkind ic3ia imc lawi dar pa houdini
; Two counters take turns; after an even number of rounds they are equal. The refutation is a cycle of two steps
; whose guards are remainders, gone through 5·10^11 times.
(set-logic HORN)
(declare-fun turn (Int Int Int) Bool)
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (= n 0) (= a 7) (= b 7)) (turn n a b))))
(assert (forall ((n Int) (a Int) (b Int) (m Int) (c Int) (d Int))
  (=> (and (turn n a b) (= m (+ n 1))
           (= c (ite (= (mod n 2) 0) (+ a 3) a))
           (= d (ite (= (mod n 2) 0) b (+ b 3))))
      (turn m c d))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (turn n a b) (= a b) (= n 1000000000000)) false)))
(check-sat)
