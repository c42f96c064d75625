; test: interpolate
; expect: unsat
; level: 0
; interpolant: (<= (+ x2 x3 x4 x5) 0)
; [Bli22] Example 3.11 with the plain algorithm.
(set-option :produce-interpolants true)
(set-option :interpolation-bool-algorithm mcmillan)
(set-option :interpolation-lra-algorithm farkas)
(set-logic QF_LRA)
(declare-const x1 Real)
(declare-const x2 Real)
(declare-const x3 Real)
(declare-const x4 Real)
(declare-const x5 Real)
(assert (! (and (<= (+ x1 x2) 0) (<= (+ (- x1) x3) 0) (<= (+ x1 x4) 0) (<= (+ (- x1) x5) 0)) :named A))
(assert (! (<= (- (- x2) x3 x4 x5) (- 1)) :named B))
(check-sat)
(get-interpolants A B)
