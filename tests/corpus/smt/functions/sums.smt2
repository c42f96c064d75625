; test: smt
; expect: unsat sat
; level: 0
; Arguments that only arithmetic knows to be equal.
(set-logic QF_UFLRA)
(declare-fun f (Real) Real)
(declare-fun g (Real Real) Real)
(declare-const x Real)
(declare-const y Real)
(declare-const z Real)
(assert (<= (+ x y) (* 2 z)))
(assert (>= (+ x y) (+ z z)))
(assert (= x y))
(push 1)
(assert (> (f (g x z)) (f (g z y))))
(check-sat)
(pop 1)
(assert (> (f (g x z)) (f (g z (+ y 1)))))
(assert (= (f (f x)) (- (f x) 1)))
(check-sat)
(get-model)
(get-value ((f x) (f (f x)) (g x z) (g z (+ y 1)) (f 17.5)))
