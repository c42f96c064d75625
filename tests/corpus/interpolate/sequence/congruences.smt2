; test: interpolate
; expect: unsat
; level: 0
; The check that the sequence fits together is about an unbounded strip without integral points.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(declare-const d Int)
(assert (! (or ((_ divisible 2) b) (>= (- (* 2 c) 3) 1)) :named P))
(assert (! (= (- 6 c) (- (* 2 d) b)) :named Q))
(assert (! (= (+ (* 8 a) (* 9 b) (- c) (* 2 d)) 8) :named R))
(check-sat)
(get-interpolants P R Q)
(get-interpolants P Q R)
(get-interpolants Q P R)
