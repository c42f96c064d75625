; test: smt
; expect: unsat sat
; level: 0
; Forgetting the assertions only.
(declare-const x Int)
(assert (> x 0))
(assert (< x 1))
(check-sat)
(reset-assertions)
(declare-const x Int)
(assert (< x 1))
(check-sat)
