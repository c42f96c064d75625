; test: interpolate
; expect: unsat
; level: 0
; interpolant: (=> (= u v) (= p q))
; What A proves needs an equality that B knows; the function h is A's own.
(set-option :produce-interpolants true)
(set-logic QF_UF)
(declare-sort U 0)
(declare-fun h (U) U)
(declare-const u U)
(declare-const v U)
(declare-const p U)
(declare-const q U)
(assert (! (and (= p (h u)) (= q (h v))) :named A))
(assert (! (and (= u v) (not (= p q))) :named B))
(check-sat)
(get-interpolants A B)
