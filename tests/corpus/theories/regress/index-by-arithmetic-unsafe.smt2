; test: chc
; expect: unsat
; level: 0
; Places that arithmetic makes equal (in the spirit of Eldarica#62).
(set-logic HORN)
(declare-fun p ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (=> (and (<= i (+ j 1)) (>= i (+ j 1))) (p (store a i 4) i j))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (=> (and (p a i j) (= (select a (+ 1 j)) 4)) false)))
(check-sat)
