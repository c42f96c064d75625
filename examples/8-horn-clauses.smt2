; test: chc
; expect: sat
; level: 0
; A loop as Horn clauses: x and y start at 0, x grows by y and y by 1. Can x become negative?
;
;   shofar --witness examples/8-horn-clauses.smt2
;
; answers `sat`: no, it cannot, and prints an inductive invariant as evidence, which was checked before.
; With (> x 5) in the place of (< x 0) the answer is `unsat`, with the execution that gets there.
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int)) (=> (inv x y) (inv (+ x y) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 0)) false)))
(check-sat)
