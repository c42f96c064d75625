; test: parse
; expect: error
; level: 0
; error-line: 6
; The sorts of the theories cannot be declared again.
(declare-sort Int 0)
