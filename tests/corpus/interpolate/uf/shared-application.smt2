; test: interpolate
; expect: unsat
; level: 0
; interpolant: (= (f c) d)
; The step from f(x) to f(y) is divided by f(c).
(set-option :produce-interpolants true)
(set-logic QF_UF)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const c U)
(declare-const d U)
(declare-const x U)
(declare-const y U)
(assert (! (and (= x c) (= (f x) d)) :named A))
(assert (! (and (= y c) (not (= (f y) d))) :named B))
(check-sat)
(get-interpolants A B)
