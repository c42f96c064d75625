; test: smt
; expect: sat unsat
; level: 0
; The largest amount that cannot be paid is 43.
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (and (>= a 0) (>= b 0) (>= c 0)))
; amounts that coins of 6, 9 and 20 can pay: 44 is one, 43 is none
(push 1)
(assert (= (+ (* 6 a) (* 9 b) (* 20 c)) 44))
(check-sat)
(get-model)
(pop 1)
(assert (= (+ (* 6 a) (* 9 b) (* 20 c)) 43))
(check-sat)
