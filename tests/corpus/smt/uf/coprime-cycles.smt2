; test: smt
; expect: unsat sat
; level: 0
; Five and three applications lead back, so one does; four and two leave a choice.
(set-logic QF_UF)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-const a U)
(push 1)
(assert (= (f (f (f (f (f a))))) a))
(assert (= (f (f (f a))) a))
(assert (not (= (f a) a)))
(check-sat)
(pop 1)
(assert (= (f (f (f (f a)))) a))
(assert (= (f (f a)) a))
(assert (not (= (f a) a)))
(check-sat)
(get-model)
