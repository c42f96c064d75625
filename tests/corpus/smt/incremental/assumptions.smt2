; test: smt
; expect: sat unsat unsat sat
; level: 0
; Assumptions hold for one check only.
(set-option :produce-unsat-assumptions true)
(set-logic QF_LIA)
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(declare-const x Int)
(assert (=> a (> x 5)))
(assert (=> b (< x 3)))
(assert (=> c (= x 4)))
(check-sat-assuming (a))
(check-sat-assuming (a b))
(get-unsat-assumptions)
(check-sat-assuming ((not a) b c))
(get-unsat-assumptions)
(check-sat)
