; test: interpolate
; expect: unsat
; level: 0
; Without shared symbols the interpolant is a truth value.
(set-option :produce-interpolants true)
(declare-const p Bool)
(declare-const q Bool)
(assert (! (and p (not p)) :named A))
(assert (! q :named B))
(check-sat)
(get-interpolants A B)
(get-interpolants B A)
