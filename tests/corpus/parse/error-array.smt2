; test: parse
; expect: error
; level: 0
; error-line: 6
; Arrays are refused.
(declare-const a (Array Int Int))
