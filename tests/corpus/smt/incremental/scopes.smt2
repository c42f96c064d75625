; test: smt
; expect: sat unsat sat unsat sat
; level: 0
; Assertions live as long as their scope.
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
(check-sat)
(push 1)
(assert (< x 1))
(check-sat)
(pop 1)
(push 2)
(assert (< x 10))
(check-sat)
(push 1)
(assert (= (* 2 x) 21))
(check-sat)
(pop 3)
(assert (> x 100))
(check-sat)
(get-value (x))
