; test: chc
; expect: sat
; level: 0
; A table of two indices holds no more than the counter.
(set-logic HORN)
(declare-fun inv ((Array Int (Array Int Int)) Int) Bool)
(assert (inv ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) 0))
(assert (forall ((m (Array Int (Array Int Int))) (n Int) (i Int) (j Int)) (=> (inv m n) (inv (store m i (store (select m i) j (+ n 1))) (+ n 1)))))
(assert (forall ((m (Array Int (Array Int Int))) (n Int) (i Int) (j Int)) (=> (and (inv m n) (> (select (select m i) j) n)) false)))
(check-sat)
