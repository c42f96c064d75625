; test: chc
; expect: unsat
; level: 0
; The third one comes after two steps.
(set-logic HORN)
(declare-datatypes ((Light 0)) (((red) (green) (yellow))))
(declare-fun on (Light) Bool)
(assert (on red))
(assert (forall ((a Light)) (=> (on a) (on (ite ((_ is red) a) green yellow)))))
(assert (forall ((a Light)) (=> (and (on a) (distinct a red green)) false)))
(check-sat)
