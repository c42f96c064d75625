; test: interpolate
; expect: unsat
; level: 0
; Two runs of a loop with an unknown step, as a sequence and as a tree.
(set-option :produce-interpolants true)
(set-logic QF_UFLRA)
(declare-fun step (Real) Real)
(declare-const x0 Real)
(declare-const y0 Real)
(declare-const x1 Real)
(declare-const y1 Real)
(declare-const x2 Real)
(declare-const y2 Real)
(assert (! (= x0 y0) :named start))
(assert (! (and (= x1 (+ x0 (step x0))) (= y1 (+ y0 (step y0)))) :named one))
(assert (! (and (= x2 (+ x1 (step x1))) (= y2 (+ y1 (step y1)))) :named two))
(assert (! (> x2 y2) :named apart))
(check-sat)
(get-interpolants start one two apart)
(get-interpolants start one (two) apart)
