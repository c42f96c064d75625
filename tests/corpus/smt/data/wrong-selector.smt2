; test: smt
; expect: sat unsat
; level: 0
; A selector on the wrong constructor is unspecified, but a function.
(set-logic ALL)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-const x L)
(declare-const y L)
(assert (= x y nil))
(push 1)
(assert (= (hd x) 17))
(check-sat)
(pop 1)
(assert (distinct (hd x) (hd y)))
(check-sat)
