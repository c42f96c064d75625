; test: chc
; expect: sat
; level: 0
; A byte of a memory stays while others are written.
(set-logic HORN)
(declare-fun p ((Array (_ BitVec 8) (_ BitVec 8)) (_ BitVec 8)) Bool)
(assert (forall ((a (Array (_ BitVec 8) (_ BitVec 8)))) (=> (= (select a #x00) #x2a) (p a #x01))))
(assert (forall ((a (Array (_ BitVec 8) (_ BitVec 8))) (i (_ BitVec 8)) (v (_ BitVec 8)))
  (=> (and (p a i) (bvult i #x80)) (p (store a i v) (bvadd i #x01)))))
(assert (forall ((a (Array (_ BitVec 8) (_ BitVec 8))) (i (_ BitVec 8)))
  (=> (p a i) (= (select a #x00) #x2a))))
(check-sat)
