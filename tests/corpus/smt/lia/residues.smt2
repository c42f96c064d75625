; test: smt
; expect: sat unsat
; level: 0
; A number with given remainders: 23 is the least.
(set-logic QF_LIA)
(declare-const x Int)
(assert (and (= (mod x 3) 2) (= (mod x 5) 3) (= (mod x 7) 2)))
(assert (<= 0 x))
(check-sat)
(assert (< x 23))
(check-sat)
