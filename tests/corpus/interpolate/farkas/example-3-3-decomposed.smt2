; test: interpolate
; expect: unsat
; level: 0
; interpolant: (and (<= x2 0) (<= x3 0))
; [Bli22] Example 3.3: the decomposed interpolant is a conjunction.
(set-option :produce-interpolants true)
(set-option :interpolation-bool-algorithm mcmillan)
(set-option :interpolation-lra-algorithm decomposed)
(set-logic QF_LRA)
(declare-const x1 Real)
(declare-const x2 Real)
(declare-const x3 Real)
(assert (! (and (<= (+ x1 x2) 0) (<= (+ x1 x3) 0) (<= (- x1) 0)) :named A))
(assert (! (<= (- (- x2) x3) (- 1)) :named B))
(check-sat)
(get-interpolants A B)
