; test: parse
; expect: error
; level: 0
; error-line: 7
; A symbol that nobody declared.
(declare-const x Int)
(assert (< x y))
(check-sat)
