; test: chc
; expect: unsat
; level: 0
; unknown-ok: spacer bmc kind split-tpa tpa pdkind ic3ia imc lawi dar pa houdini
; An index runs around a ring of 60 places; visits of the first and of the second half are counted. The refutation is a
; cycle of two inner cycles and the step that wraps around.
(set-logic HORN)
(declare-fun ring (Int Int Int) Bool)
(assert (forall ((i Int) (a Int) (b Int)) (=> (and (= i 0) (= a 0) (= b 0)) (ring i a b))))
(assert (forall ((i Int) (a Int) (b Int) (j Int) (c Int) (d Int))
  (=> (and (ring i a b) (= j (mod (+ i 1) 60))
           (= c (ite (< i 30) (+ a 1) a))
           (= d (ite (< i 30) b (+ b 1))))
      (ring j c d))))
(assert (forall ((i Int) (a Int) (b Int)) (=> (and (ring i a b) (= a b) (= a 3000000)) false)))
(check-sat)
