; test: smt
; expect: sat unsat
; level: 0
; Only the largest number has a smaller successor.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(push 1)
(assert (bvult (bvadd x #x01) x))
(check-sat)
(get-value (x))
(pop 1)
(assert (bvult (bvadd x #x01) x))
(assert (bvslt x #x7f))
(assert (distinct x #xff))
(check-sat)
