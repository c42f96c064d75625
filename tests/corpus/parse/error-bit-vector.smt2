; test: parse
; expect: error
; level: 0
; error-line: 8
; Bit-vectors of different widths are not added.
(declare-const b (_ BitVec 8))
(declare-const c (_ BitVec 9))
(assert (= (bvadd b c) b))
