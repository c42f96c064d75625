; test: parse
; expect: error
; level: 0
; error-line: 8
; Products of unknowns are refused.
(declare-const x Int)
(declare-const y Int)
(assert (> (* x y) 3))
