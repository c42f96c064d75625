; test: parse
; expect: error
; level: 0
; error-line: 6
; A command that does not exist.
(chek-sat)
