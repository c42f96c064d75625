; test: chc
; expect: unsat
; level: 0
; The head of an empty list is mentioned, but nothing depends on it.
(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-fun p (L Int) Bool)
(assert (p nil 0))
(assert (forall ((l L) (n Int)) (=> (and (p l n) (or (> (head l) 5) (= n 0))) (p (cons n l) (+ n 1)))))
(assert (forall ((l L) (n Int)) (=> (and (p l n) (= n 1) (= (head l) 0)) false)))
(check-sat)
