; test: parse
; expect: error
; level: 0
; error-line: 10
; Elements of different sorts cannot be compared.
(declare-sort S 0)
(declare-sort T 0)
(declare-const a S)
(declare-const b T)
(assert (= a b))
