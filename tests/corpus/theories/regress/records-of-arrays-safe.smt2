; test: chc
; expect: sat
; level: 0
; Arrays inside of records that are elements of arrays (in the spirit of Eldarica#71, #73).
(set-logic HORN)
(declare-datatypes ((A 0)) (((a (av Int)))))
(declare-datatypes ((B 0)) (((b (bs (Array Int A))))))
(declare-fun p (B) Bool)
(assert (forall ((x B)) (=> (> (av (select (bs x) 0)) 0) (p x))))
(assert (forall ((x B)) (=> (p x) (> (av (select (bs x) 0)) 0))))
(check-sat)
