; test: smt
; expect: sat
; level: 0
; Division of a negative number.
(set-logic QF_LIA)
(declare-const x Int)
(assert (= x (- 7)))
(assert (= (div x 2) (- 4)))
(assert (= (mod x 2) 1))
(assert (= (div x (- 2)) 4))
(assert (= (mod x (- 2)) 1))
(check-sat)
