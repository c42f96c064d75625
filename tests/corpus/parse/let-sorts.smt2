; test: parse
; expect: sat
; level: 0
; A binding may change the sort of a name.
(declare-const x Int)
(assert (let ((x (> x 3)) (z 4)) (and x (< z 5))))
(check-sat)
(get-model)
