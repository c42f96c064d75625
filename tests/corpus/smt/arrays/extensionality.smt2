; test: smt
; expect: unsat sat
; level: 0
; Arrays over declared sorts that differ somewhere else.
(set-logic QF_AX)
(declare-sort I 0)
(declare-sort E 0)
(declare-const a (Array I E))
(declare-const b (Array I E))
(declare-const i I)
(push 1)
(assert (= (store a i (select b i)) (store b i (select a i))))
(assert (distinct a b))
(assert (= (select a i) (select b i)))
(check-sat)
(pop 1)
(assert (distinct a b))
(assert (= (select a i) (select b i)))
(check-sat)
(get-model)
