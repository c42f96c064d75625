; test: smt
; expect: sat unsat
; level: 0
; Division by zero is some function.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
; the value is not specified, but it is a function of the dividend
(assert (= (div x 0) 5))
(assert (= (mod y 0) 8))
(check-sat)
(assert (= x y))
(assert (= (div y 0) 6))
(check-sat)
