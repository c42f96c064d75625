; test: chc
; expect: unsat
; level: 0
; Two arrays of one sort are not independent of each other (in the spirit of Eldarica#71, #73).
(set-logic HORN)
(declare-datatypes ((A 0)) (((a (av Int)))))
(declare-datatypes ((B 0)) (((b (bs (Array Int A))))))
(declare-fun p (B B) Bool)
(assert (forall ((x B)) (p x (b (store (bs x) 0 (a 1))))))
(assert (forall ((x B) (y B)) (=> (and (p x y) (= (av (select (bs x) 1)) (av (select (bs y) 0)) 1) (= x y)) false)))
(check-sat)
