; test: chc
; expect: unsat
; level: 0
; Mutually recursive types: a tree of three nodes.
(set-logic HORN)
(declare-datatypes ((Rose 0) (Forest 0)) (((rose (below Forest))) ((none) (some (first Rose) (rest Forest)))))
(declare-fun rs (Rose Int) Bool)
(declare-fun fs (Forest Int) Bool)
(assert (fs none 0))
(assert (forall ((r Rose) (f Forest) (n Int) (m Int)) (=> (and (rs r n) (fs f m)) (fs (some r f) (+ n m)))))
(assert (forall ((f Forest) (n Int)) (=> (fs f n) (rs (rose f) (+ n 1)))))
(assert (forall ((r Rose)) (=> (rs r 3) false)))
(check-sat)
