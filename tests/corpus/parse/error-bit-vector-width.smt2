; test: parse
; expect: error
; level: 0
; error-line: 6
; There is a limit to the width.
(declare-const b (_ BitVec 1000000000))
