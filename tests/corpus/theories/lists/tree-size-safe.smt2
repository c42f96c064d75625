; test: chc
; expect: sat
; level: 0
; The size of a tree is not negative.
(set-logic HORN)
(declare-datatypes ((T 0)) (((leaf) (node (left T) (key Int) (right T)))))
(declare-fun size (T Int) Bool)
(assert (size leaf 0))
(assert (forall ((l T) (k Int) (r T) (n Int) (m Int)) (=> (and (size l n) (size r m)) (size (node l k r) (+ n m 1)))))
(assert (forall ((t T) (n Int)) (=> (and (size t n) (< n 0)) false)))
(check-sat)
