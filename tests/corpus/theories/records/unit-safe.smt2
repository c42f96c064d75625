; test: chc
; expect: sat
; level: 0
; A type with one value.
(set-logic HORN)
(declare-datatypes ((U 0)) (((unit))))
(declare-fun p (U Int) Bool)
(assert (p unit 0))
(assert (forall ((u U) (x Int)) (=> (p u x) (p u (+ x 2)))))
(assert (forall ((u U) (v U) (x Int)) (=> (and (p u x) (or (distinct u v) (= x 7))) false)))
(check-sat)
