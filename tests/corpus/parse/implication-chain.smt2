; test: parse
; expect: unsat
; level: 0
; Implication is right-associative.
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
; right-associative: a => (b => c)
(assert (=> a b c))
(assert (and a b (not c)))
(check-sat)
