; test: smt
; expect: unsat
; level: 0
; Equal arguments have equal images, three functions deep.
(set-logic QF_UF)
(declare-sort S 0)
(declare-fun f (S S) S)
(declare-fun g (S) S)
(declare-const a S)
(declare-const b S)
(declare-const c S)
(declare-const d S)
(assert (= a b))
(assert (or (= c d) (and (= c a) (= b d))))
(assert (distinct (g (f a (g c))) (g (f b (g d)))))
(check-sat)
