; test: parse
; expect: sat
; level: 0
; A binding does not reach into the body of a definition.
(declare-const a Int)
(declare-const b Int)
(define-fun next () Int (+ a 1))
; the let must not capture the a inside next
(assert (let ((a b)) (and (= next 6) (= a 100))))
(check-sat)
(get-value (a b))
