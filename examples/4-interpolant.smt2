; test: interpolate
; expect: unsat
; level: 0
;
; A Craig interpolant of A and B follows from A, contradicts B, and speaks only of what A and B share.
; Here A has a secret `s`, B has a secret `t`, and both know `x` and `y`.

(set-option :produce-interpolants true)
(set-logic QF_LRA)

(declare-const x Real)
(declare-const y Real)
(declare-const s Real)
(declare-const t Real)

(assert (! (and (<= (+ s x) 0) (<= (+ s y) 0) (>= s 0)) :named A))
(assert (! (and (>= t 1) (<= t (+ x y))) :named B))

(check-sat)

(set-option :interpolation-lra-algorithm farkas)
(get-interpolants A B)          ; one inequality: x + y <= 0

(set-option :interpolation-lra-algorithm decomposed)
(get-interpolants A B)          ; the stronger conjunction: x <= 0 and y <= 0

(set-option :interpolation-lra-algorithm dual-farkas)
(get-interpolants A B)          ; a weaker one, as close to B as possible
