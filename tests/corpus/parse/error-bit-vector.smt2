; test: parse
; expect: error
; level: 0
; error-line: 6
; Bit-vectors are refused.
(declare-const b (_ BitVec 8))
