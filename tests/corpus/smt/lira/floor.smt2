; test: smt
; expect: unsat
; level: 0
; The law of the floor.
(set-logic QF_LIRA)
(declare-const x Real)
(assert (not (and (<= (to_real (to_int x)) x) (< x (+ (to_real (to_int x)) 1.0)))))
(check-sat)
