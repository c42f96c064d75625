; test: parse
; expect: unsat sat
; level: 0
; Distinct compares all pairs, not only neighbours.
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (distinct x y z))
(push 1)
(assert (= x z))
(check-sat)
(pop 1)
(assert (and (<= 1 x 3) (<= 1 y 3) (<= 1 z 3)))
(check-sat)
(get-model)
