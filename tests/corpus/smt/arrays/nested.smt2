; test: smt
; expect: unsat sat
; level: 0
; Rows of a table.
(set-logic ALL)
(declare-const m (Array Int (Array Int Int)))
(declare-const n (Array Int (Array Int Int)))
(declare-const i Int)
(declare-const j Int)
(assert (= n (store m i (store (select m i) j 5))))
(push 1)
(assert (distinct (select (select n i) j) 5))
(check-sat)
(pop 1)
(assert (distinct (select n j) (select m j)))
(check-sat)
(get-model)
