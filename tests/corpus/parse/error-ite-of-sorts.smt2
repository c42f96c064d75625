; test: parse
; expect: error
; level: 0
; error-line: 10
; The branches of a conditional have one sort.
(declare-sort S 0)
(declare-const a S)
(declare-const p Bool)
(declare-const x Int)
(assert (= a (ite p a x)))
