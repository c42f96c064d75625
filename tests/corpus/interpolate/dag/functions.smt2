; test: interpolate
; expect:
; level: 0
; Functions mean the same on all edges; constants only where they are kept.
(set-option :produce-interpolants true)
(set-logic QF_UFLIA)
(declare-fun f (Int) Int)
(declare-const x Int)
(declare-const y Int)
(get-dag-interpolants (
  (en a (= (f x) 3))
  (en a (= (f x) 5))
  (a b (= y (+ (f x) 1)))
  (b ex (< y 4))
  (b ex (= y 5))))
