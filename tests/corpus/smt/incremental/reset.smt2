; test: smt
; expect: sat sat
; level: 0
; Reset forgets everything.
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
(check-sat)
(reset)
(set-logic QF_LRA)
(declare-const x Real)
(assert (< 0 x 1))
(check-sat)
