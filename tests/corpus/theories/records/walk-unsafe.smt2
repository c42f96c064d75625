; test: chc
; expect: unsat
; level: 0
; It comes to a place.
(set-logic HORN)
(declare-datatypes ((Point 0)) (((point (px Int) (py Int)))))
(declare-fun inv (Point) Bool)
(assert (inv (point 0 0)))
(assert (forall ((p Point)) (=> (inv p) (inv (point (+ 1 (px p)) (- (py p) 1))))))
(assert (forall ((p Point)) (=> (and (inv p) (= p (point 3 (- 3)))) false)))
(check-sat)
