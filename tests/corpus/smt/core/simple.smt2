; test: smt
; expect: unsat
; level: 0
; Three of four assertions contradict each other.
(set-option :produce-unsat-cores true)
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (! (> x 0) :named positive))
(assert (! (< y 7) :named noise))
(assert (! (< (+ x y) 1) :named small-sum))
(assert (! (> y 2) :named large))
(check-sat)
(get-unsat-core)
