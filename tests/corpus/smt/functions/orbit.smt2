; test: smt
; expect: unsat sat
; level: 0
; Five and three steps lead back, so one step does.
(set-logic QF_UF)
(declare-sort S 0)
(declare-fun f (S) S)
(declare-const a S)
(assert (= a (f (f (f (f (f a)))))))
(push 1)
(assert (= a (f (f (f a)))))
(assert (not (= a (f a))))
(check-sat)
(pop 1)
(assert (distinct a (f a) (f (f a)) (f (f (f a))) (f (f (f (f a))))))
(check-sat)
(get-model)
(get-value (a (f a) (f (f a))))
