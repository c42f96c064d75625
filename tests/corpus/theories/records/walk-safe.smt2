; test: chc
; expect: sat
; level: 0
; A point that moves away.
(set-logic HORN)
(declare-datatypes ((Point 0)) (((point (px Int) (py Int)))))
(declare-fun inv (Point) Bool)
(assert (inv (point 0 0)))
(assert (forall ((p Point)) (=> (inv p) (inv (point (+ 1 (px p)) (+ 2 (py p)))))))
(assert (forall ((p Point)) (=> (and (inv p) (< (py p) (px p))) false)))
(check-sat)
