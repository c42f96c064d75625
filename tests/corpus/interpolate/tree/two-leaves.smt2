; test: interpolate
; expect: unsat
; level: 0
; Two children meet.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (! (> x 2) :named A))
(assert (! (> y 3) :named B))
(assert (! (= z (+ x y)) :named C))
(assert (! (< z 6) :named D))
(check-sat)
(get-interpolants A (B) C D)
(get-interpolants A (B) (and C D))
