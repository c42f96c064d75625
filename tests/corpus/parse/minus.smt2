; test: parse
; expect: unsat
; level: 0
; Minus with one, two and three arguments.
(declare-const x Int)
(declare-const y Int)
; left-associative with three arguments, negation with one
(assert (not (= (- x y 1) (+ x (- y) (- 1)))))
(check-sat)
