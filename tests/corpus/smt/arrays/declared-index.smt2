; test: smt
; expect: sat
; level: 0
; unknown-ok: yes
; A declared sort may have one element, and then a write changes a constant array into another one.
(set-logic QF_AX)
(declare-sort I 0)
(declare-sort E 0)
(declare-const i I)
(declare-const u E)
(declare-const v E)
(declare-const w E)
(assert (= (store ((as const (Array I E)) u) i v) ((as const (Array I E)) w)))
(assert (distinct u w))
(check-sat)
