; test: parse
; expect: error
; level: 0
; error-line: 9
; A symbol whose scope is closed.
(push 1)
(declare-const x Int)
(pop 1)
(assert (> x 0))
