; test: chc
; expect: sat
; level: 0
; Two lights in step are never the same.
(set-logic HORN)
(declare-datatypes ((Light 0)) (((red) (green) (yellow))))
(declare-fun on (Light Light) Bool)
(assert (on red green))
(assert (forall ((a Light) (b Light)) (=> (on a b) (on (ite (= a red) green (ite (= a green) yellow red)) (ite (= b red) green (ite (= b green) yellow red))))))
(assert (forall ((a Light) (b Light)) (=> (and (on a b) (= a b)) false)))
(check-sat)
