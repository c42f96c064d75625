; test: parse
; expect: error
; level: 0
; error-line: 7
; A parenthesis too many.
(declare-const x Int)
(assert (> x 0)))
(check-sat)
