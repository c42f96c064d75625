; test: parse
; expect: error
; level: 0
; error-line: 7
; A constant and a function of one name.
(declare-fun f (Int) Int)
(declare-const f Int)
