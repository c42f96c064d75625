; test: parse
; expect: unsat
; level: 0
; Equality of three truth values means that all are equal.
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
; not (a = b) = c
(assert (= a b c))
(assert (not a))
(assert c)
(check-sat)
