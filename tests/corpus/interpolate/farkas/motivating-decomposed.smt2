; test: interpolate
; expect: unsat
; level: 0
; interpolant: (and (>= x 0) (>= y 0))
; [Bli22] Section 3.2: the interpolant that is inductive.
(set-option :produce-interpolants true)
(set-option :interpolation-bool-algorithm mcmillan)
(set-option :interpolation-lra-algorithm decomposed)
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (! (and (= x 0) (= y 0)) :named init))
(assert (! (< (+ x y) 0) :named cti))
(check-sat)
(get-interpolants init cti)
