; test: interpolate
; expect: unsat
; level: 0
; The shared unknown occurs under mod only.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (! (= (mod x 6) 1) :named A))
(assert (! (= (mod x 3) 2) :named B))
(check-sat)
(get-interpolants A B)
(get-interpolants B A)
