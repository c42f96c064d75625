; test: chc
; expect: unsat
; level: 0
; The index wraps around, and the byte at zero is written.
(set-logic HORN)
(declare-fun p ((Array (_ BitVec 3) (_ BitVec 8)) (_ BitVec 3)) Bool)
(assert (forall ((a (Array (_ BitVec 3) (_ BitVec 8)))) (=> (= (select a #b000) #x2a) (p a #b110))))
(assert (forall ((a (Array (_ BitVec 3) (_ BitVec 8))) (i (_ BitVec 3)))
  (=> (p a i) (p (store a i (bvadd (select a i) #x01)) (bvadd i #b001)))))
(assert (forall ((a (Array (_ BitVec 3) (_ BitVec 8))) (i (_ BitVec 3)))
  (=> (p a i) (= (select a #b000) #x2a))))
(check-sat)
