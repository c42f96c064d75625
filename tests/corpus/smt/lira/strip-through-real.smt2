; test: smt
; expect: unsat
; level: 0
; The real number is an integral form of integers by the equation, and then 5 ≤ 3(i - j) < 6 has no solution.
(set-logic QF_LIRA)
(declare-const r Real)
(declare-const i Int)
(declare-const j Int)
(assert (= (- (* 3 i) r (* 2 j)) 5))
(assert (and (<= j r) (< r (+ j 1))))
(check-sat)
