; test: parse
; expect: unsat
; level: 0
; Definitions with declared functions inside, called with arguments of the same names.
(declare-sort S 0)
(declare-fun f (S S) S)
(declare-const x S)
(declare-const y S)
(define-fun twice ((x S)) S (f x y))
(define-fun flip ((x S) (y S)) S (f y x))
(assert (let ((y x)) (distinct (twice y) (flip x (as x S)))))
(assert (= x y))
(check-sat)
