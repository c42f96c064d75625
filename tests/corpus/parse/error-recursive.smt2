; test: parse
; expect: error
; level: 0
; error-line: 5
(define-fun-rec sum ((x Int)) Int (ite (<= x 0) 0 (+ x (sum (- x 1)))))
