; test: parse
; expect: unsat
; level: 0
; There are only two truth values.
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert (distinct a b c))
(check-sat)
