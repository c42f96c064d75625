; test: smt
; expect: unsat unsat
; level: 0
; Three values.
(set-logic QF_DT)
(declare-datatypes ((C 0)) (((red) (green) (blue))))
(declare-const a C)
(declare-const b C)
(declare-const c C)
(declare-const d C)
(push 1)
(assert (distinct a b c d))
(check-sat)
(pop 1)
(assert (not ((_ is red) a)))
(assert (not ((_ is green) a)))
(assert (distinct a blue))
(check-sat)
