; test: smt
; expect: unsat unsat sat
; level: 0
; A function of a truth value has two values at most.
(set-logic QF_UF)
(declare-sort S 0)
(declare-fun f (Bool) S)
(declare-fun h (Bool) Bool)
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(push 1)
(assert (distinct (f p) (f q) (f r)))
(check-sat)
(pop 1)
(push 1)
(assert (xor (h (h (h p))) (h p)))
(check-sat)
(pop 1)
(assert (distinct (f (h p)) (f (h (not p)))))
(assert (h (h (h (h q)))))
(check-sat)
(get-model)
(get-value ((h true) (h false) (f p) (f (h q))))
