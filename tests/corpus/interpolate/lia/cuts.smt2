; test: interpolate
; expect: unsat
; level: 0
; Every real relaxation is satisfiable; the refutation needs a cut over symbols of both parts.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const a Int)
(declare-const b Int)
(assert (! (and (= (+ (* 3 a) x) 0) (<= 0 y)) :named A))
(assert (! (and (<= 1 (+ x (* 3 b)) 2)) :named B))
(check-sat)
(get-interpolants A B)
(get-interpolants B A)
