; test: smt
; expect: unsat unsat unsat
; level: 0
; Quotient and remainder, also by zero.
(set-logic QF_BV)
(declare-const x (_ BitVec 5))
(declare-const y (_ BitVec 5))
(push 1)
(assert (distinct x (bvadd (bvmul (bvudiv x y) y) (bvurem x y))))
(check-sat)
(pop 1)
(push 1)
(assert (= y #b00000))
(assert (or (distinct (bvudiv x y) #b11111) (distinct (bvurem x y) x) (distinct (bvsmod x y) x)))
(check-sat)
(pop 1)
(assert (bvsgt y #b00000))
(assert (bvslt (bvsmod x y) #b00000))
(check-sat)
