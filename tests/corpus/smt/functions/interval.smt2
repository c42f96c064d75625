; test: smt
; expect: unsat sat
; level: 0
; A number between one and three is one, two or three.
(set-logic QF_UFLIA)
(declare-sort S 0)
(declare-fun f (Int) S)
(declare-const x Int)
(assert (<= 1 x 3))
(assert (distinct (f x) (f 1)))
(assert (distinct (f x) (f 2)))
(push 1)
(assert (distinct (f x) (f 3)))
(check-sat)
(pop 1)
(check-sat)
(get-model)
(get-value (x (f x) (f 3) (f 1) (= (f x) (f 3))))
