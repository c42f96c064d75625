; test: interpolate
; expect: unsat
; level: 0
; interpolant: (> (f (+ c 2)) 5)
; The sides apply f to terms of their own that bounds make equal to c + 2.
(set-option :produce-interpolants true)
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-const c Int)
(declare-const x Int)
(declare-const y Int)
(assert (! (and (<= 2 (- x c)) (<= (- x c) 2) (> (f x) 5)) :named A))
(assert (! (and (= y (+ c 2)) (<= (f y) 5)) :named B))
(check-sat)
(get-interpolants A B)
