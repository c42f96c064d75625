; test: smt
; expect: sat unsat sat
; level: 0
; The quotient of x by 2 is integral in every model, also where its equation mentions a sum that nobody asks for.
(set-option :random-seed 1)
(set-logic QF_LIA)
(declare-fun a () Int)
(declare-fun b () Bool)
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun r () Bool)
(declare-fun o () Bool)
(assert (or (and (= (mod y 2) 1) (<= y 1) (= (mod x 2) 1) (<= x 3) (or (and b (= a y) (<= (+ a (* 2 x)) 3)) (= (mod x 3) 2))) (not r)))
(assert r)
(declare-fun p () Bool)
(check-sat-assuming (p (not o)))
(declare-fun q () Bool)
(declare-fun s () Bool)
(assert (or (not r) q (>= x 3)))
(assert (or (not r) s (not (= a y))))
(check-sat-assuming (p (not q) (not s) (not o)))
(check-sat-assuming (p q (not s) (not o)))
(get-model)
