; test: smt
; expect: sat
; level: 0
; Between two reals there is always another one.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (< 0 x y z (/ 1 1000000)))
(assert (< (* 3 x) y))
(check-sat)
(get-model)
