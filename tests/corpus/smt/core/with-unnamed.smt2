; test: smt
; expect: unsat
; level: 0
; Assertions without a name take part but are not listed.
(set-option :produce-unsat-cores true)
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert (=> p q))
(assert (! p :named p-holds))
(assert (! r :named r-holds))
(assert (! (not q) :named q-fails))
(check-sat)
(get-unsat-core)
