; test: parse
; expect: error
; level: 0
; error-line: 6
; A string without end.
(echo "this never ends)
(check-sat)
