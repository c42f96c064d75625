; test: parse
; expect: error
; level: 0
; error-line: 7
; A constant takes no arguments.
(declare-const c Int)
(assert (= (c 1) 2))
