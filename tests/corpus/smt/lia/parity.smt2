; test: smt
; expect: unsat
; level: 0
; An even number is not odd.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (= (* 2 x) (+ (* 2 y) 1)))
(check-sat)
