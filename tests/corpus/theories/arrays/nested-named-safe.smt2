; test: chc
; expect: sat
; level: 0
; A counter inside two arrays at constants, beside a number that counts the same.
(set-logic HORN)
(declare-fun p (Int (Array Int (Array Int Int))) Bool)
(assert (forall ((m (Array Int (Array Int Int)))) (=> (= (select (select m 0) 1) 0) (p 0 m))))
(assert (forall ((n Int) (m (Array Int (Array Int Int))))
  (=> (p n m) (p (+ n 1) (store m 0 (store (select m 0) 1 (+ (select (select m 0) 1) 1)))))))
(assert (forall ((n Int) (m (Array Int (Array Int Int)))) (=> (and (p n m) (not (= (select (select m 0) 1) n))) false)))
(check-sat)
