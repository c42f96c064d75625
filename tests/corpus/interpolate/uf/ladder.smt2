; test: interpolate
; expect: unsat
; level: 0
; Each side reaches g2(g1(i4)) by way of a term of its own.
(set-option :produce-interpolants true)
(set-logic QF_UFLIA)
(declare-const i1 Int)
(declare-fun i2 () Int)
(declare-fun i3 () Int)
(declare-fun i4 () Int)
(declare-const i8 Int)
(declare-fun i9 () Int)
(declare-fun g1 (Int) Int)
(declare-fun g2 (Int) Int)
(assert (! (= i1 i4) :named A1))
(assert (! (= (g1 i1) i2) :named A2))
(assert (! (not (distinct i8 (g1 i4))) :named A3))
(assert (! (= (g2 i2) i3) :named A4))
(assert (! (and (<= i9 (g2 i8)) (>= i9 (g2 i8))) :named A5))
(assert (! (distinct i3 i9) :named A6))
(check-sat)
(get-interpolants (and A4 A2 A1 A6) (and A5 A3))
