; test: parse
; expect: error
; level: 0
; error-line: 6
; Only sorts without parameters can be declared.
(declare-sort Pair 2)
(declare-const p (Pair Int Bool))
