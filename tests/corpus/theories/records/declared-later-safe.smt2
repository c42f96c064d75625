; test: chc
; expect: sat
; level: 0
; A record whose field is of a type that is declared behind it.
(set-logic HORN)
(declare-datatypes ((Account 0)) (((account (owner Int) (entry Entry)))))
(declare-datatypes ((Entry 0)) (((made (amount Int) (count Int)))))
(declare-fun p (Account) Bool)
(assert (forall ((a Account)) (=> (and (= (amount (entry a)) 0) (= (count (entry a)) 0)) (p a))))
(assert (forall ((a Account) (v Int))
  (=> (and (p a) (> v 0)) (p (account (owner a) (made (+ (amount (entry a)) v) (+ (count (entry a)) 1)))))))
(assert (forall ((a Account)) (=> (and (p a) (< (amount (entry a)) (count (entry a)))) false)))
(check-sat)
