; test: smt
; expect: unsat
; level: 0
; What six divides, two and three divide.
(set-logic QF_LIA)
(declare-const x Int)
(assert ((_ divisible 6) x))
(assert (not (and ((_ divisible 2) x) ((_ divisible 3) x))))
(check-sat)
