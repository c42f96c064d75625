; test: chc
; expect: unsat
; level: 0
; Rows are copied, so a value is there twice.
(set-logic HORN)
(declare-fun inv ((Array Int (Array Int Int)) Int) Bool)
(assert (inv ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) 0))
(assert (forall ((m (Array Int (Array Int Int))) (n Int) (i Int) (j Int)) (=> (inv m n) (inv (store m i (store (select m j) j (+ n 1))) (+ n 1)))))
(assert (forall ((m (Array Int (Array Int Int))) (n Int) (i Int) (j Int)) (=> (and (inv m n) (distinct i j) (= (select (select m i) j) (select (select m j) j) 1)) false)))
(check-sat)
