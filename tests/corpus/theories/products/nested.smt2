; test: chc
; expect: sat
; level: 0
; A product inside a product; it used to end in a panic of the reader.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 1))
(assert (forall ((x Int) (k Int)) (=> (and (p x) (> k 0)) (p (* (* x x) (* 2 k))))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
(check-sat)
