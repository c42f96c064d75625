; test: smt
; expect: unsat sat
; level: 0
; Formulas are arguments, and predicates are formulas.
(set-logic QF_UFLIA)
(declare-fun f (Bool) Int)
(declare-fun q (Int Bool) Bool)
(declare-const p Bool)
(declare-const x Int)
(push 1)
(assert (= (f (and p (> x 0))) 1))
(assert (= (f false) 2))
(assert (<= x 0))
(check-sat)
(pop 1)
(assert (q (f p) (not p)))
(assert (not (q (f true) false)))
(check-sat)
(get-model)
(get-value ((f p) (q (f p) (not p)) (f (not p))))
