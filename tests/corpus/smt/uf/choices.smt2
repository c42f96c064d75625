; test: smt
; expect: unsat sat
; level: 0
; A choice between elements is defined by clauses, as for numbers.
(set-logic QF_UF)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(declare-const b U)
(declare-const p Bool)
(push 1)
(assert (distinct (f (ite p a b)) (f a)))
(assert (distinct (f (ite p a b)) (f b)))
(check-sat)
(pop 1)
(assert (= (ite p a b) (f (ite p b a))))
(assert (distinct a b (f a)))
(check-sat)
(get-value (p a b (f a) (f b)))
