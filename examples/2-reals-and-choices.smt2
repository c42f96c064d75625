; test: smt
; expect: sat unsat
; level: 0
;
; Real numbers, if-then-else, and a definition: a tank that is filled or drained for three hours.

(set-logic QF_LRA)

(define-fun next ((level Real) (filling Bool)) Real
  (ite filling (+ level 1.5) (- level 2)))

(declare-const l0 Real)
(declare-const f0 Bool)
(declare-const f1 Bool)
(declare-const f2 Bool)

(define-fun l1 () Real (next l0 f0))
(define-fun l2 () Real (next l1 f1))
(define-fun l3 () Real (next l2 f2))

(assert (<= 0 l0 1))
(assert (and (>= l1 0) (>= l2 0) (>= l3 0)))   ; the tank never runs dry

(check-sat)
(get-value (l0 l1 l2 l3 f0 f1 f2))

(assert (and f0 (not f1) (not f2)))            ; fill once, then drain twice
(check-sat)
