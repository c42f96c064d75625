; test: interpolate
; expect: unsat sat unsat
; level: 0
; Interpolants after scopes have come and gone.
(set-option :produce-interpolants true)
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (! (> x y) :named A))
(push 1)
(assert (! (> y x) :named B))
(check-sat)
(get-interpolants A B)
(pop 1)
(check-sat)
(push 1)
(assert (! (> y z) :named B))
(assert (! (> z x) :named C))
(check-sat)
(get-interpolants A B C)
(get-interpolants (and A C) B)
(pop 1)
