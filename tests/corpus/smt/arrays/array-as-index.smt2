; test: smt
; expect: unsat
; level: 0
; Equal arrays are equal indices.
(set-logic ALL)
(declare-const h (Array (Array Int Int) Int))
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const i Int)
(assert (= b (store a i (select a i))))
(assert (distinct (select h a) (select h b)))
(check-sat)
