; test: smt
; expect: unsat sat
; level: 0
; Predicates as assumptions.
(set-option :produce-unsat-assumptions true)
(set-logic QF_UF)
(declare-sort S 0)
(declare-fun p (S) Bool)
(declare-fun f (S) S)
(declare-const a S)
(declare-const b S)
(declare-const q Bool)
(assert (=> q (= (f a) b)))
(check-sat-assuming ((p b) q (not (p (f a)))))
(get-unsat-assumptions)
(check-sat-assuming ((p b) (not q) (not (p (f a)))))
(get-model)
