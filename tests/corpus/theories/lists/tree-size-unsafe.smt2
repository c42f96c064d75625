; test: chc
; expect: unsat
; level: 0
; A tree of three nodes without a left part.
(set-logic HORN)
(declare-datatypes ((T 0)) (((leaf) (node (left T) (key Int) (right T)))))
(declare-fun size (T Int) Bool)
(assert (size leaf 0))
(assert (forall ((l T) (k Int) (r T) (n Int) (m Int)) (=> (and (size l n) (size r m)) (size (node l k r) (+ n m 1)))))
(assert (forall ((t T) (n Int)) (=> (and (size t n) (= n 3) ((_ is leaf) (left t))) false)))
(check-sat)
