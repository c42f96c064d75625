; test: chc
; expect: sat
; level: 0
; A predicate with Boolean arguments whose only state does not meet the guards: its small model has to be one.
(set-logic HORN)
(declare-fun p0 (Bool Bool Real) Bool)
(declare-fun p2 (Real) Bool)
(assert (p0 false true 0))
(assert (=> (p0 true true 0) (p2 0)))
(assert (forall ((b00 Bool) (b02 Real) (h2 Real)) (=> (p0 true true b02) (p0 true true 0))))
(assert (=> (p2 0) false))
(check-sat)
