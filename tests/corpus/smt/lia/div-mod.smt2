; test: smt
; expect: unsat
; level: 0
; Division with a remainder that is never negative.
(set-logic QF_LIA)
(declare-const x Int)
; the law that defines both, for divisors of both signs
(assert (not (and (= x (+ (* 7 (div x 7)) (mod x 7))) (<= 0 (mod x 7) 6)
                  (= x (+ (* (- 7) (div x (- 7))) (mod x (- 7)))) (<= 0 (mod x (- 7)) 6))))
(check-sat)
