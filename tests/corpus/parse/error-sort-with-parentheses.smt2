; test: parse
; expect: error
; level: 0
; error-line: 7
; A declared sort has no parameters.
(declare-sort S 0)
(declare-const a (S Int))
