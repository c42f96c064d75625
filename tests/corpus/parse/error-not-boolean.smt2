; test: parse
; expect: error
; level: 0
; error-line: 7
; An assertion must be a formula.
(declare-const x Int)
(assert x)
