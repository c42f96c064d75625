; test: smt
; expect: sat
; level: 0
; Eight different reals in the unit interval.
(set-logic QF_LRA)
(declare-const x0 Real)
(declare-const x1 Real)
(declare-const x2 Real)
(declare-const x3 Real)
(declare-const x4 Real)
(declare-const x5 Real)
(declare-const x6 Real)
(declare-const x7 Real)
(assert (<= 0 x0 1))
(assert (<= 0 x1 1))
(assert (<= 0 x2 1))
(assert (<= 0 x3 1))
(assert (<= 0 x4 1))
(assert (<= 0 x5 1))
(assert (<= 0 x6 1))
(assert (<= 0 x7 1))
(assert (distinct x0 x1 x2 x3 x4 x5 x6 x7))
(check-sat)
(get-model)
