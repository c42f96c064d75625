; test: smt
; expect: unsat sat
; level: 0
; Strict bounds keep arguments apart; elements, reals and truth values at once.
(set-logic ALL)
(declare-sort U 0)
(declare-fun g (Real U) U)
(declare-fun weight (U) Real)
(declare-const a U)
(declare-const r Real)
(declare-const s Real)
(push 1)
(assert (and (< (- r s) 1) (> (- r s) (- 1))))
(assert (= (* 3 r) (* 3 s)))
(assert (> (weight (g r a)) (weight (g s a))))
(check-sat)
(pop 1)
(assert (< r s))
(assert (= (weight (g r a)) (+ (weight (g s a)) (/ 1 3))))
(assert (= (g s a) a))
(check-sat)
(get-model)
