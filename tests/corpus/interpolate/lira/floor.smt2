; test: interpolate
; expect: unsat
; level: 0
; A floor between the parts.
(set-option :produce-interpolants true)
(set-logic QF_LIRA)
(declare-const i Int)
(declare-const x Real)
(declare-const y Real)
(assert (! (and (= i (to_int x)) (>= x 2.5)) :named A))
(assert (! (and (= y (to_real i)) (< y 2.0)) :named B))
(check-sat)
(get-interpolants A B)
(get-interpolants B A)
