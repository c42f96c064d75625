; test: chc
; expect: sat
; level: 0
; unknown-ok: kind split-tpa tpa pdkind imc lawi dar houdini
; No loop, but a query with two premises: engines for linear clauses have to refuse it.
(set-logic HORN)
(declare-fun p (Real Bool) Bool)
(assert (p 0.0 true))
(assert (=> (and (p 0.0 true) (p 0.0 false)) false))
(check-sat)
