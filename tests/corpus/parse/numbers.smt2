; test: parse
; expect: unsat
; level: 0
; Spellings of numbers.
(set-logic QF_LRA)
(declare-const x Real)
(assert (= x 0.75))
(assert (not (and (= x (/ 3 4)) (= (* 4 x) 3.00) (= (- x) (/ (- 3) 4)) (= (+ x 0.250) 1))))
(check-sat)
