; test: smt
; expect: unsat
; level: 0
; Nearly parallel lines with large coefficients.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (= (+ (* 1000000007 x) (* 998244353 y)) 1))
(assert (= (+ (* 1000000009 x) (* 998244355 y)) 1))
(assert (> (+ x y) 0))
(check-sat)
