; test: smt
; expect: sat
; level: 0
; Truth values of named formulas.
(set-option :produce-assignments true)
(declare-const x Int)
(assert (! (> x 3) :named large))
(assert (or (! (< x 10) :named small) (= x 50)))
(check-sat)
(get-assignment)
