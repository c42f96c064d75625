; test: parse
; expect: error
; level: 0
; error-line: 8
; An element is no formula.
(declare-sort S 0)
(declare-const a S)
(assert a)
