; test: smt
; expect: sat
; level: 0
; An unbounded polyhedron.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (> x (+ y 1000000000000)))
(assert (> y (* 1000 1000)))
(check-sat)
(get-model)
