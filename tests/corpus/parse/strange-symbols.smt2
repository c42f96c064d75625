; test: parse
; expect: sat
; level: 0
; All characters that symbols may have.
(declare-const ~!@$%^&*_-+=<>.?/ Bool)
(declare-const -> Bool)
(declare-const x!0 Int)
(declare-const .5 Int)
(assert (and ~!@$%^&*_-+=<>.?/ (not ->) (= x!0 .5)))
(check-sat)
