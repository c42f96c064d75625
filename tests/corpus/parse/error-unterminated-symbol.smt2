; test: parse
; expect: error
; level: 0
; error-line: 6
; A quoted symbol without end.
(declare-const |this never ends Int)
(check-sat)
