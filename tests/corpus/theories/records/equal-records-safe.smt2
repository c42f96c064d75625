; test: chc
; expect: sat
; level: 0
; Records with equal fields are equal.
(set-logic HORN)
(declare-datatypes ((Point 0)) (((point (px Int) (py Int)))))
(declare-fun inv (Point) Bool)
(assert (forall ((p Point)) (=> (= (px p) (py p)) (inv p))))
(assert (forall ((p Point) (q Point)) (=> (and (inv p) (inv q) (= (px p) (py q)) (distinct p q)) false)))
(check-sat)
