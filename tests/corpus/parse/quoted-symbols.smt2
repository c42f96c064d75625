; test: parse
; expect: sat unsat
; level: 0
; A quoted symbol may be a reserved word or empty; with simple content it is the same symbol as without bars.
(declare-const |x| Int)
(declare-const |a b| Int)
(declare-const |let| Int)
(declare-const || Int)
(assert (= x (+ |a b| 1)))
(assert (= |let| || 3))
(check-sat)
(assert (> |a b| |x|))
(check-sat)
