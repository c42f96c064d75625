; test: parse
; expect: sat
; level: 0
; Nothing after exit is looked at.
(declare-const p Bool)
(assert p)
(check-sat)
(exit)
(this is never read
