; test: chc
; expect: unsat
; level: 2
; unknown-ok: bmc
(declare-rel p (Int))
(declare-rel bad ())
(declare-var x Int)
(rule (p 0))
(rule (=> (and (p x) (< x 5)) (p (+ x 1))))
(rule (=> (and (p x) (> x 5)) bad))
(query bad)
