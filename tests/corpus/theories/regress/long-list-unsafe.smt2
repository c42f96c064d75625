; test: chc
; expect: unsat
; level: 0
; A list in the query that is longer than any seen before (in the spirit of Z3#9583).
(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun len (L Int) Bool)
(assert (len nil 0))
(assert (forall ((x Int) (u L) (n Int)) (=> (len u n) (len (cons x u) (+ n 1)))))
(assert (=> (len (cons 4 (cons 3 (cons 2 (cons 1 (cons 0 nil))))) 5) false))
(check-sat)
