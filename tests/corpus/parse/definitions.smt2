; test: parse
; expect: unsat
; level: 0
; Definitions are expanded; parameters are local.
(define-sort Money () Int)
(declare-const x Money)
(define-fun twice ((a Int)) Int (+ a a))
(define-fun above ((a Int) (b Int)) Bool (> a b))
(define-fun shifted () Int (twice (+ x 1)))
; the parameter a of twice has nothing to do with the a of above
(assert (above (twice x) shifted))
(check-sat)
