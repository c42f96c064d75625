; test: parse
; expect: error
; level: 0
; error-line: 7
; What a predicate yields is a truth value.
(declare-fun p (Int) Bool)
(assert (> (p 1) 0))
