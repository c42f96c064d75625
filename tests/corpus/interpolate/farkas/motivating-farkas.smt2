; test: interpolate
; expect: unsat
; level: 0
; interpolant: (>= (+ x y) 0)
; [Bli22] Section 3.2: the interpolant that makes the model checker diverge.
(set-option :produce-interpolants true)
(set-option :interpolation-bool-algorithm pudlak)
(set-option :interpolation-lra-algorithm farkas)
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (! (and (= x 0) (= y 0)) :named init))
(assert (! (< (+ x y) 0) :named cti))
(check-sat)
(get-interpolants init cti)
