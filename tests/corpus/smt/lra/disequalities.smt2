; test: smt
; expect: unsat
; level: 0
; Two bounds force an equality.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (<= x y))
(assert (<= y x))
(assert (distinct x y))
(check-sat)
