; test: interpolate
; expect: unsat
; level: 0
; A flat tree: symmetric interpolants, which together with the root contradict each other.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(declare-const a Int)
(assert (! (and (< x a) (< a y)) :named one))
(assert (! (< y z) :named two))
(assert (! (< z (+ x 2)) :named three))
(assert (! (> (+ x z) (* 2 y)) :named root))
(check-sat)
(get-interpolants one (two) (three) root)
