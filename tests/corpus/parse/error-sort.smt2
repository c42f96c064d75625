; test: parse
; expect: error
; level: 0
; error-line: 8
; Adding a truth value.
(declare-const x Int)
(declare-const p Bool)
(assert (+ x p))
