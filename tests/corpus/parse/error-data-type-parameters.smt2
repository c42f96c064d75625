; test: parse
; expect: error
; level: 0
; error-line: 6
; Data types have no parameters.
(declare-datatypes ((Box 1)) ((par (X) ((box (content X))))))
