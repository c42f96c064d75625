; test: interpolate
; expect: unsat
; level: 0
; All labellings, both directions.
(set-option :produce-interpolants true)
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(declare-const s Bool)
(assert (! (and (or p q) (or (not p) r) (not q)) :named A))
(assert (! (and (or (not r) s) (not s)) :named B))
(check-sat)
(set-option :interpolation-bool-algorithm mcmillan)
(set-option :interpolation-lra-algorithm farkas)
(get-interpolants A B)
(get-interpolants B A)
(set-option :interpolation-bool-algorithm pudlak)
(set-option :interpolation-lra-algorithm farkas)
(get-interpolants A B)
(get-interpolants B A)
(set-option :interpolation-bool-algorithm mcmillan-dual)
(set-option :interpolation-lra-algorithm farkas)
(get-interpolants A B)
(get-interpolants B A)
