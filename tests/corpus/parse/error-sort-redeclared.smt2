; test: parse
; expect: error
; level: 0
; error-line: 7
; The same sort twice in one scope.
(declare-sort S 0)
(define-sort S () Int)
