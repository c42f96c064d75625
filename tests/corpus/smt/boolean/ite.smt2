; test: smt
; expect: unsat
; level: 0
; Two spellings of if-then-else.
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert (distinct (ite a b c) (and (=> a b) (=> (not a) c))))
(check-sat)
