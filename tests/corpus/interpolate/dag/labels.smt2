; test: interpolate
; expect: unsat
; level: 0
; Two branches that meet, with claims about what holds there; formulas may be named before.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const n Int)
(declare-const m Int)
(declare-const k Int)
(assert (! (> n 0) :named positive))
(assert (! (and (< n 0) (= m (- n))) :named turned))
(define-fun kept () Bool (= m n))
(check-sat)
(get-dag-interpolants
  ((en then positive) (en else (<= n 0)) (then meet kept) (else meet turned) (else meet (and (= n 0) (= m 1)))
   (meet last (= k (* 2 m))) (last ex (= k 3)) (last ex (< k 2)))
  ((then (>= n 1)) (meet (>= m 1)) (last (>= k 2))))
(get-dag-interpolants ((|the entry| |:a vertex| (< n m)) (|:a vertex| ex (and (< m k) (< k n) (> m n) (> n m)))))
