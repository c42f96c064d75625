; test: parse
; expect: sat unsat
; level: 0
; Sorts of the script: quoted names, abbreviations, conditionals, bindings, ascriptions.
(set-logic QF_UF)
(declare-sort S 0)
(declare-sort |a sort| 0)
(define-sort T () |a sort|)
(define-sort First (A B) A)
(declare-const x S)
(declare-fun y () (First S T))
(declare-const u T)
(declare-const v |a sort|)
(declare-const p Bool)
(assert (distinct x y))
(assert (not (= u v)))
(assert (= (ite p x y) (let ((x y)) x)))
(assert (= (as u |a sort|) (ite p (as v T) u)))
(check-sat)
(get-model)
(get-value (x p (ite p u v) (= u v)))
(assert p)
(check-sat)
