; test: smt
; expect: unsat sat
; level: 0
; A half-integer.
(set-logic QF_LIRA)
(declare-const x Real)
(declare-const i Int)
(assert (is_int (* 2.0 x)))
(assert (not (is_int x)))
(push 1)
(assert (= x (to_real i)))
(check-sat)
(pop 1)
(assert (< 10.0 x 11.0))
(check-sat)
(get-value (x))
