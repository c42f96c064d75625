; test: parse
; expect: unsat
; level: 0
; Int is coerced to Real where both meet.
(set-logic QF_LIRA)
(declare-const i Int)
(declare-const x Real)
; the integer is converted
(assert (< i x))
(assert (< x (+ i 1)))
(assert (is_int x))
(check-sat)
