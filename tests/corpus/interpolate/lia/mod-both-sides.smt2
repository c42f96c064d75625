; test: interpolate
; expect: unsat
; level: 0
; Remainders on both sides.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (! (and (= (mod x 4) 3) (= y (+ x 4))) :named A))
(assert (! (and (= z (* 2 y)) (= (mod z 4) 0)) :named B))
(check-sat)
(get-interpolants A B)
(get-interpolants B A)
