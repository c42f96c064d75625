; test: parse
; expect: error
; level: 0
; error-line: 9
; There is no order on elements of a declared sort.
(declare-sort S 0)
(declare-const a S)
(declare-const b S)
(assert (< a b))
