; test: smt
; expect: unsat
; level: 0
; Five integers, four places.
(set-logic QF_LIA)
(declare-const x0 Int)
(assert (<= 1 x0 4))
(declare-const x1 Int)
(assert (<= 1 x1 4))
(declare-const x2 Int)
(assert (<= 1 x2 4))
(declare-const x3 Int)
(assert (<= 1 x3 4))
(declare-const x4 Int)
(assert (<= 1 x4 4))
(assert (distinct x0 x1 x2 x3 x4))
(check-sat)
