; test: chc
; expect: unknown
; level: 0
; Whether the tail of an empty list is empty is not said.
(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(assert ((_ is nil) (tail nil)))
(check-sat)
