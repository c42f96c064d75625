; test: parse
; expect: error
; level: 0
; error-line: 7
; Negation has one argument.
(declare-const p Bool)
(assert (not p p))
