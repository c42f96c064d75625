; test: parse
; expect: sat
; level: 0
; The same from the other side.
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
; read to the left, (a => b) => c, this would contradict the second line
(assert (=> a b c))
(assert (and (not a) (not c)))
(check-sat)
