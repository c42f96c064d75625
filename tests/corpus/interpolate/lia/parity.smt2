; test: interpolate
; expect: unsat
; level: 0
; The interpolant has to speak of divisibility.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (! (= x (* 2 y)) :named A))
(assert (! (= x (+ (* 2 z) 1)) :named B))
(check-sat)
(get-interpolants A B)
(get-interpolants B A)
