; test: smt
; expect: unsat sat
; level: 0
; No list is its own tail; a selector on the empty list may be anything.
(set-logic ALL)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-const x L)
(declare-const y L)
(push 1)
(assert (= x (cons 1 y)))
(assert (= y (cons 2 x)))
(check-sat)
(pop 1)
(assert (= x (cons 1 y)))
(assert (= (tl y) (tl x)))
(check-sat)
