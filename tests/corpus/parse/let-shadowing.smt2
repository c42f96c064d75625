; test: parse
; expect: unsat
; level: 0
; Each let sees the outer meaning of a name that it binds.
(declare-const x Int)
(assert (= x 5))
(assert (not (let ((x (+ x 1))) (let ((x (+ x 1)) (y x)) (and (= x 7) (= y 6))))))
(check-sat)
