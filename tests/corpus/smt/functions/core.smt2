; test: smt
; expect: unsat
; level: 0
; The core leaves out what congruence does not need.
(set-option :produce-unsat-cores true)
(set-option :minimal-unsat-cores true)
(set-logic QF_UFIDL)
(declare-fun f (Int) Int)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (! (= x y) :named equal))
(assert (! (< (f z) (f x)) :named idle))
(assert (! (= (f z) (f (f z))) :named idle2))
(assert (! (< (f x) (f y)) :named different))
(check-sat)
(get-unsat-core)
