; test: interpolate
; expect: unsat
; level: 0
; A binary tree of depth three, two ways around.
(set-option :produce-interpolants true)
(set-logic QF_LRA)
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(declare-const d Real)
(declare-const e Real)
(declare-const f Real)
(declare-const g Real)
(assert (! (>= a 1) :named L1))
(assert (! (>= b 2) :named L2))
(assert (! (>= c (+ a b)) :named M1))
(assert (! (>= d 4) :named L3))
(assert (! (>= e (* 2 d)) :named M2))
(assert (! (and (= f (+ c e)) (< f 11)) :named R))
(check-sat)
(get-interpolants L1 (L2) M1 (L3 M2) R)
(get-interpolants L3 M2 (L2 (L1) M1) R)
