; test: interpolate
; expect: unsat
; level: 0
; Predicates and truth values as arguments on both sides.
(set-option :produce-interpolants true)
(set-logic QF_UF)
(declare-sort U 0)
(declare-fun q (U Bool) Bool)
(declare-const a U)
(declare-const b U)
(declare-const local Bool)
(declare-const own Bool)
(assert (! (and (q a local) local (= a b)) :named A))
(assert (! (and (not (q b own)) own) :named B))
(check-sat)
(get-interpolants A B)
