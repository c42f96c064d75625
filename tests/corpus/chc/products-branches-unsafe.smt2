; test: chc
; expect: unsat
; unknown-ok: houdini
; level: 0
; In each branch of a disjunction a factor has another value; the quotient is by a product.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 1 0))
(assert (forall ((x Int) (y Int) (k Int) (n Int))
  (=> (and (p x n) (or (and (= k 2) (= y (* k x))) (and (= k (- 3)) (= y (* x k))))) (p y (+ n 1)))))
(assert (forall ((x Int) (k Int) (j Int) (n Int))
  (=> (and (p x n) (= j (- 2)) (= k (* j j)) (= (mod x k) 2) (= (div x (* k j)) 1)) false)))
(check-sat)
