; test: smt
; expect: unsat unsat sat
; level: 0
; Constant arrays; two of them differ at infinitely many places.
(set-logic ALL)
(declare-const a (Array Int Int))
(declare-const i Int)
(push 1)
(assert (= a ((as const (Array Int Int)) 2)))
(assert (distinct (select a i) 2))
(check-sat)
(pop 1)
(push 1)
(assert (= ((as const (Array Int Int)) 1) (store ((as const (Array Int Int)) 2) i 1)))
(check-sat)
(pop 1)
(assert (= a (store ((as const (Array Int Int)) 2) i 1)))
(assert (= (select a 5) 2))
(check-sat)
(get-value ((select a i)))
