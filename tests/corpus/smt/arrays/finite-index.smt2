; test: smt
; expect: sat unsat
; level: 0
; unknown-ok: yes
; Over truth values a default may be invisible.
(set-logic ALL)
(declare-const a (Array Bool Int))
(assert (= (store (store a true 1) false 1) ((as const (Array Bool Int)) 1)))
(check-sat)
(assert (= (select a true) (select a false) 4))
(assert (distinct a ((as const (Array Bool Int)) 4)))
(check-sat)
