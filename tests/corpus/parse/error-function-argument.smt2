; test: parse
; expect: error
; level: 0
; error-line: 9
; An argument of another sort.
(declare-sort S 0)
(declare-fun f (S Bool) S)
(declare-const a S)
(assert (= a (f true true)))
