; test: parse
; expect: sat sat
; level: 0
; With global declarations a symbol survives its scope, an assertion does not.
(set-option :global-declarations true)
(push 1)
(declare-const x Int)
(assert (> x 5))
(check-sat)
(pop 1)
(assert (< x 0))
(check-sat)
