; test: chc
; expect: unsat
; level: 0
; A head is passed on, of a list that may be chosen so that it has one.
(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-fun p (Int Bool) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((l L)) (p (head (tail l)) ((_ is nil) l))))
(assert (forall ((x Int) (b Bool)) (=> (and (p x b) (not b)) (q (+ x 1)))))
(assert (forall ((x Int)) (=> (and (q x) (= x 8)) false)))
(check-sat)
