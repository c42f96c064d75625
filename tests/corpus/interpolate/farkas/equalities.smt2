; test: interpolate
; expect: unsat
; level: 0
; Equalities and a disequality.
(set-option :produce-interpolants true)
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(declare-const u Real)
(declare-const v Real)
(assert (! (and (= x (+ u 1)) (= y (- u 1))) :named A))
(assert (! (and (= z (+ x 1)) (distinct z (+ y 3))) :named B))
(check-sat)
(get-interpolants A B)
(get-interpolants B A)
