; test: parse
; expect: error
; level: 0
; error-line: 7
; The end of the file inside a command.
(declare-const x Int)
(assert (and (> x 0)
