; test: chc
; expect: unknown
; level: 0
; A fact depends on what the right child of a leaf is, which is not said.
(set-logic HORN)
(declare-datatypes ((T 0)) (((leaf) (node (left T) (mark Bool) (right T)))))
(declare-fun p (T) Bool)
(assert (p (node leaf (= (right leaf) leaf) leaf)))
(assert (forall ((t T)) (=> (and (p t) (mark t)) false)))
(check-sat)
