; test: chc
; expect: unsat
; level: 0
; unknown-ok: kind split-tpa tpa pdkind imc lawi dar ic3ia trl
; Bodies are in the order of the text, not in that of declarations or of first mention.
(set-logic HORN)
(declare-fun a () Bool)
(declare-fun b () Bool)
(declare-fun r (Int) Bool)
(declare-fun s (Int) Bool)
(assert (r 3))
(assert (s 4))
(assert (=> (r 3) b))
(assert (=> (and (s 4) b) a))
(assert (forall ((x Int)) (or (not (s x)) (not a) (not (r 3)) (not b) (< x 4))))
(check-sat)
