; test: parse
; expect: unsat
; level: 0
; Bindings of one let are parallel.
(declare-const x Int)
(declare-const y Int)
(assert (= x 1))
(assert (= y 2))
; the inner x and y are swapped, not both equal to 2
(assert (let ((x y) (y x)) (not (and (= x 2) (= y 1)))))
(check-sat)
