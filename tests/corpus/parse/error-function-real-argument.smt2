; test: parse
; expect: error
; level: 0
; error-line: 8
; An integer is a real number, but not the other way round.
(declare-fun f (Int) Real)
(declare-const x Real)
(assert (= (f 2.0) (f x)))
