; test: chc
; expect: sat
; level: 0
; Fields of elements of fields of elements (in the spirit of Z3#7505).
(set-logic HORN)
(declare-datatypes ((In 0)) (((in (arr (Array Int Int)) (cnt Int)))))
(declare-datatypes ((Out 0)) (((out (ins (Array Int In)) (tag Int)))))
(declare-fun p (Int (Array Int Out)) Bool)
(declare-fun positive ((Array Int Out)) Bool)
(assert (forall ((a (Array Int Out))) (=> (> (cnt (select (ins (select a 0)) 0)) 0) (positive a))))
(assert (forall ((a (Array Int Out))) (=> (<= (cnt (select (ins (select a 0)) 0)) 0) (p 3 a))))
(assert (forall ((a (Array Int Out)) (b Out)) (=> (and (p 3 a) (= (tag b) 0)) (p (tag b) a))))
(assert (forall ((a (Array Int Out))) (=> (and (positive a) (p 3 a)) false)))
(check-sat)
