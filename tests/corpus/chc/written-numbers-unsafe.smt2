; test: chc
; expect: unsat
; level: 0
; unknown-ok: kind split-tpa tpa pdkind imc lawi dar ic3ia trl
; Clauses that are trivially true have numbers, and atoms that occur twice have two premises.
(set-logic HORN)
(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)
(assert (and (even 0) (= 1 1)))
(assert (forall ((n Int)) (=> (odd n) (odd n))))
(assert (forall ((n Int)) (=> (and (even n) (< n n)) (odd 3))))
(assert (forall ((n Int)) (=> (and (even n) (even (+ n 0)) (<= n 9)) (odd (+ n 1)))))
(assert (forall ((n Int)) (=> (and (odd n) (even (- n 1)) (odd n)) (even (+ n 1)))))
(assert (forall ((n Int) (m Int)) (not (and (odd n) (even m) (= (+ n m) 7)))))
(check-sat)
