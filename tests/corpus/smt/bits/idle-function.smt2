; test: smt
; expect: sat sat
; level: 0
; What is divided by zero or shifted out does not matter, but is a function all the same.
(set-logic QF_UFDTBV)
(declare-datatypes ((L 0)) (((nil) (cons (head (_ BitVec 4)) (tail L)))))
(declare-fun f ((_ BitVec 4)) (_ BitVec 4))
(declare-fun p ((_ BitVec 4)) Bool)
(declare-const x (_ BitVec 4))
(declare-const l L)
(assert (p (bvudiv (f (f x)) #x0)))
(check-sat)
(assert (not (p (bvlshr (head (tail l)) #x4))))
(check-sat)
