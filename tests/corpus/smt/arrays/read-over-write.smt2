; test: smt
; expect: unsat sat
; level: 0
; Both axioms of reading.
(set-logic QF_ALIA)
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(push 1)
(assert (distinct (select (store a i 3) j) (ite (= i j) 3 (select a j))))
(check-sat)
(pop 1)
(assert (distinct (select (store a i 3) j) 3))
(check-sat)
(get-model)
