; test: parse
; expect: error
; level: 0
; error-line: 8
; The name of a function is no term.
(declare-fun f (Int) Int)
(declare-const x Int)
(assert (= (f x) f))
