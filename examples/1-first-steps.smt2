; test: smt
; expect: sat unsat
; level: 0
;
; First steps: declare unknowns, say what must hold, ask whether it can.
; Run it with:  shofar smt examples/1-first-steps.smt2

(set-logic QF_LIA)              ; linear arithmetic over the integers

(declare-const apples Int)
(declare-const pears Int)

(assert (>= apples 0))
(assert (>= pears 0))
(assert (= (+ (* 3 apples) (* 5 pears)) 31))   ; 3 coins an apple, 5 a pear, 31 coins spent

(check-sat)                     ; sat: there is a way
(get-model)                     ; this one
(get-value (apples (+ apples pears)))

(assert (< (+ apples pears) 7)) ; at most six pieces of fruit?
(check-sat)                     ; unsat: no way
