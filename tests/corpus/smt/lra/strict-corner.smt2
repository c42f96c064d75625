; test: smt
; expect: unsat sat
; level: 0
; Only the corner itself is left.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (<= x y))
(assert (<= y (/ x 3)))
(assert (>= x 0))
(push 1)
(assert (> y 0))
(check-sat)
(pop 1)
(assert (>= y 0))
(check-sat)
(get-value (x y))
