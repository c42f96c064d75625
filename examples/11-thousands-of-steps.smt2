; test: chc
; expect: unsat
; level: 1
; unknown-ok: spacer bmc kind pdkind imc lawi dar
; x runs up to 10000, and only then y is counted down. The error is 15001 steps away; split-tpa finds it by powers of two.
;
;   shofar --engine split-tpa --witness=short examples/11-thousands-of-steps.smt2
(set-logic HORN)
(declare-fun loop (Int Int) Bool)
(assert (loop 0 5000))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< x 10000)) (loop (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (>= x 10000)) (loop x (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< y 0)) false)))
(check-sat)
