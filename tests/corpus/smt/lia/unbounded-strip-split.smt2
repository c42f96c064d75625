; test: smt
; expect: unsat
; level: 0
; The same strip, hidden behind a third unknown.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const u Int)
(assert (= u (* 4 x)))
(assert (< (* 4 y) u))
(assert (< u (+ (* 4 y) 4)))
(check-sat)
