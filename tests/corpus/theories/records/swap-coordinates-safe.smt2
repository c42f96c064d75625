; test: chc
; expect: sat
; level: 0
; The sum stays.
(set-logic HORN)
(declare-datatypes ((Point 0)) (((point (px Int) (py Int)))))
(declare-fun inv (Point) Bool)
(assert (inv (point 1 2)))
(assert (forall ((p Point)) (=> (inv p) (inv (point (py p) (px p))))))
(assert (forall ((p Point)) (=> (and (inv p) (distinct (+ (px p) (py p)) 3)) false)))
(check-sat)
