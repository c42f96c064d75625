; test: chc
; expect: unsat
; level: 0
; A heap in a record, with conditional writes (in the spirit of Z3#7566).
(set-logic HORN)
(declare-datatypes ((Obj 0)) (((some (val Int)) (none))))
(declare-datatypes ((Heap 0)) (((heap (cells (Array Int Obj))))))
(declare-fun h (Heap) Bool)
(declare-fun start () Bool)
(assert start)
(assert (forall ((a Heap) (b Heap) (i Int)) (=> (and (> i 0) ((_ is some) (select (cells a) 1)) (= b (heap (store (cells a) (val (select (cells a) 1)) none)))) (h (heap (store (cells b) i none))))))
(assert (forall ((a Heap)) (=> (and start (h a)) false)))
(check-sat)
