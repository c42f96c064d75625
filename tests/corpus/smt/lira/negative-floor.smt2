; test: smt
; expect: sat
; level: 0
; The floor of a negative number.
(set-logic QF_LIRA)
(declare-const x Real)
(assert (= x (- 2.5)))
(assert (= (to_int x) (- 3)))
(assert (= (to_int (- x)) 2))
(check-sat)
