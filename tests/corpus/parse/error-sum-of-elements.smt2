; test: parse
; expect: error
; level: 0
; error-line: 8
; There is no arithmetic on elements of a declared sort.
(declare-sort S 0)
(declare-const a S)
(assert (= a (+ a 1)))
