; test: smt
; expect: sat unsat unsat
; level: 0
;
; Integers are not just reals without a fraction: division, remainders, and equations without solution.

(set-logic QF_LIA)
(declare-const n Int)

; a number that leaves the remainders 2, 3 and 2 when divided by 3, 5 and 7
(push 1)
(assert (and (= (mod n 3) 2) (= (mod n 5) 3) (= (mod n 7) 2) (> n 0)))
(check-sat)
(get-value (n (div n 7)))
(pop 1)

; the remainder is never negative, whatever the signs
(push 1)
(assert (or (< (mod n 7) 0) (< (mod n (- 7)) 0)))
(check-sat)
(pop 1)

; 6x + 9y + 15z = 1000 has no integer solution, since 3 divides the left side only
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (+ (* 6 x) (* 9 y) (* 15 z)) 1000))
(check-sat)
