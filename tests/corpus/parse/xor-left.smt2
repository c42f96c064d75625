; test: parse
; expect: unsat
; level: 0
; Exclusive or of three is true if an odd number of them is.
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert (xor a b c))
(assert (= a b))
(assert (not c))
(check-sat)
