; test: smt
; expect: sat unsat
; level: 1
; Products of 256 bits: a factor below 200, and squares modulo 8.
(set-logic QF_BV)
(declare-const x (_ BitVec 256))
(declare-const y (_ BitVec 256))
(push)
(assert (= (bvmul x y) (_ bv987654321 256)))
(assert (bvugt x (_ bv1 256)))
(assert (bvult x (_ bv200 256)))
(check-sat)
(pop)
(assert (= ((_ extract 2 0) (bvmul x x)) #b011))
(check-sat)
