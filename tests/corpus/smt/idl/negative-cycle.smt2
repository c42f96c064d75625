; test: smt
; expect: unsat
; level: 0
; A cycle of differences with negative weight.
(set-logic QF_IDL)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (<= (- a b) 2))
(assert (<= (- b c) (- 1)))
(assert (<= (- c a) (- 2)))
(check-sat)
