; test: parse
; expect: error
; level: 0
; error-line: 8
; Branches of different sorts.
(declare-const p Bool)
(declare-const x Int)
(assert (= x (ite p 1 p)))
