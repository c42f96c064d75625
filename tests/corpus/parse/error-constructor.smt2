; test: parse
; expect: error
; level: 0
; error-line: 8
; A constructor of one type makes no values of another.
(declare-datatypes ((List 0) (Color 0)) (((nil) (cons (head Int) (tail List))) ((red) (blue))))
(declare-const l List)
(assert (= l (cons 1 red)))
