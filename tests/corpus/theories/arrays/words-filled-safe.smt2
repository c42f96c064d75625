; test: chc
; expect: sat
; level: 1
; All words below the counter are zero.
(set-logic HORN)
(declare-fun p ((Array (_ BitVec 32) (_ BitVec 16)) (_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((a (Array (_ BitVec 32) (_ BitVec 16))) (n (_ BitVec 32))) (p a #x00000000 n)))
(assert (forall ((a (Array (_ BitVec 32) (_ BitVec 16))) (i (_ BitVec 32)) (n (_ BitVec 32)))
  (=> (and (p a i n) (bvult i n)) (p (store a i #x0000) (bvadd i #x00000001) n))))
(assert (forall ((a (Array (_ BitVec 32) (_ BitVec 16))) (i (_ BitVec 32)) (n (_ BitVec 32)) (j (_ BitVec 32)))
  (=> (and (p a i n) (bvuge i n) (bvult j n)) (= (select a j) #x0000))))
(check-sat)
