; test: smt
; expect: unsat
; level: 0
; A core without anything superfluous: b, c and d.
(set-option :produce-unsat-cores true)
(set-option :minimal-unsat-cores true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (! (>= x 0) :named a))
(assert (! (>= y 0) :named b))
(assert (! (<= (+ x y) 5) :named c))
(assert (! (>= x 6) :named d))
(assert (! (<= x 100) :named e))
(check-sat)
(get-unsat-core)
