; test: interpolate
; expect: unsat
; level: 0
; The steps of a counter.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const x0 Int)
(declare-const x1 Int)
(declare-const x2 Int)
(declare-const x3 Int)
(declare-const x4 Int)
(assert (! (= x0 0) :named I))
(assert (! (= x1 (+ x0 2)) :named T1))
(assert (! (= x2 (+ x1 2)) :named T2))
(assert (! (= x3 (+ x2 2)) :named T3))
(assert (! (= x4 (+ x3 2)) :named T4))
(assert (! (> x4 9) :named E))
(check-sat)
(get-interpolants I T1 T2 T3 T4 E)
(get-interpolants (and I T1) T2 (and T3 T4) E)
