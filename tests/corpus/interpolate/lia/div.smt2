; test: interpolate
; expect: unsat
; level: 0
; Integer division in one part.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (! (and (= y (div x 3)) (>= x 10)) :named A))
(assert (! (< y 3) :named B))
(check-sat)
(get-interpolants A B)
