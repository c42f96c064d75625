; test: parse
; expect: unsat sat
; level: 0
; A chain is the conjunction of its links.
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(push 1)
(assert (< x y z))
(assert (>= x z))
(check-sat)
(pop 1)
(assert (<= 0 x y z 1))
(assert (= x y))
(assert (distinct y z))
(check-sat)
(get-value (x y z))
