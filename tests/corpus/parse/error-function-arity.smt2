; test: parse
; expect: error
; level: 0
; error-line: 8
; A declared function takes as many arguments as it was declared with.
(declare-fun f (Int Int) Int)
(declare-const x Int)
(assert (= (f x) 1))
