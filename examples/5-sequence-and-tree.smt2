; test: interpolate
; expect: unsat unsat
; level: 0
;
; Interpolants along a path, as a model checker asks for them, and over a tree, as a solver for Horn clauses does.

(set-option :produce-interpolants true)
(set-logic QF_LIA)

; A counter makes three steps of two and shall be odd at the end.
(push 1)
(declare-const x0 Int)
(declare-const x1 Int)
(declare-const x2 Int)
(declare-const x3 Int)
(declare-const h Int)
(assert (! (= x0 0) :named Init))
(assert (! (= x1 (+ x0 2)) :named Step1))
(assert (! (= x2 (+ x1 2)) :named Step2))
(assert (! (= x3 (+ x2 2)) :named Step3))
(assert (! (= x3 (+ (* 2 h) 1)) :named Odd))
(check-sat)
; n groups give n - 1 interpolants; each follows from the one before and the next group
(get-interpolants Init Step1 Step2 Step3 Odd)
(pop 1)

; Two procedures are called, and their results are added.
(declare-const a Int)
(declare-const b Int)
(declare-const r Int)
(assert (! (>= a 3) :named FirstCall))
(assert (! (>= b 4) :named SecondCall))
(assert (! (= r (+ a b)) :named Caller))
(assert (! (< r 7) :named Bad))
(check-sat)
; post-order: the parenthesis opens the subtree of a second child of Caller
(get-interpolants FirstCall (SecondCall) Caller Bad)
