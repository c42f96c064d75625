; test: parse
; expect: error
; level: 0
; error-line: 7
; Quantifiers are refused.
(declare-const x Int)
(assert (forall ((y Int)) (> (+ y 1) x)))
