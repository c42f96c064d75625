; test: smt
; expect: sat unsat
; level: 0
; A name can come back with another sort.
(push 1)
(declare-const x Int)
(assert (= (* 2 x) 4))
(check-sat)
(pop 1)
(declare-const x Real)
(assert (= (* 2 x) 1.0))
(assert (not (= x 0.5)))
(check-sat)
