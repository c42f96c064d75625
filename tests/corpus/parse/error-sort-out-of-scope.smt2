; test: parse
; expect: error
; level: 0
; error-line: 10
; A sort ends with the scope that declares it.
(push 1)
(declare-sort S 0)
(declare-const a S)
(pop 1)
(declare-const b S)
