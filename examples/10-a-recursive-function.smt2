; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind split-tpa tpa pdkind imc lawi dar
; McCarthy's function calls itself twice, so that one clause has two premises: (f n r) says that f(n) returns r.
;
;   shofar --witness examples/10-a-recursive-function.smt2
;
; answers `sat`: whatever is returned for an argument up to 101 is 91. The model is a contract of the function.
(set-logic HORN)
(declare-fun f (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (f n (- n 10)))))
(assert (forall ((n Int) (m Int) (r Int)) (=> (and (<= n 100) (f (+ n 11) m) (f m r)) (f n r))))
(assert (forall ((n Int) (r Int)) (=> (and (f n r) (<= n 101) (not (= r 91))) false)))
(check-sat)
