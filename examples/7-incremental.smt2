; test: smt
; expect: sat unsat sat unsat sat
; level: 0
;
; Many questions to one set of assertions: scopes, and assumptions that hold for one check only.

(set-option :produce-unsat-assumptions true)
(set-logic QF_LRA)

(declare-const speed Real)
(declare-const time Real)
(declare-const late Bool)
(declare-const careful Bool)

(assert (=> careful (<= speed 50)))
(assert (=> late (>= speed 80)))
(assert (<= 0 speed 120))

(check-sat-assuming (careful))
(check-sat-assuming (careful late))
(get-unsat-assumptions)          ; both are to blame

(push 1)                         ; a scope: what is said inside is forgotten at its end
(assert (> speed 60))
(check-sat)
(check-sat-assuming (careful))
(pop 1)

(check-sat-assuming (careful))   ; fine again
(get-value (speed))
