; test: smt
; expect: unsat
; level: 0
; Cases that are never taken, because those before them catch all, are no mistake.
(set-logic QF_UFDT)
(declare-sort U 0)
(declare-datatypes ((Tree 0)) (((leaf (data U)) (node (left Tree) (right Tree)) (empty))))
(declare-const d Tree)
(declare-fun p (U) Bool)
(declare-fun q (Tree) Bool)
(assert (not (= (match d (((leaf x) (p x)) ((leaf x) (not (p x))) (x (q x)) ((node x y) (q x)) (empty false) (y true)))
  (ite ((_ is leaf) d) (p (data d)) (q d)))))
(check-sat)
