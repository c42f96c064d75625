; test: chc
; expect: unsat
; level: 0
; A counter that wraps: it counts up, and at 100 someone forgot that the limit is checked before the increment.
;
;   shofar --witness examples/9-a-bug-and-its-execution.smt2          every step of the execution
;   shofar --witness=short examples/9-a-bug-and-its-execution.smt2    repeated steps folded
;
; answers `unsat`: the assertion fails, after 101 rounds of the loop.
(set-logic HORN)
(declare-fun loop (Int) Bool)
(assert (loop 0))
(assert (forall ((i Int)) (=> (and (loop i) (<= i 100)) (loop (+ i 1)))))
(assert (forall ((i Int)) (=> (and (loop i) (> i 100)) false)))
(check-sat)
