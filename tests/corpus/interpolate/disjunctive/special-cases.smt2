; test: interpolate
; expect:
; level: 0
; One marked conjunct is a binary interpolant, nested conjunctions are a sequence, positions below no disjunction a tree.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const i Int)
(declare-const j Int)
(declare-const k Int)
(declare-const m Int)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(get-disjunctive-interpolants (and (! (= z (* 2 k)) :named even) (= z (+ (* 2 m) 1))))
(get-disjunctive-interpolants
  (and (! (and (>= i 0) (>= j 0) (= x i) (= y j) (= x 0)) :named path) (= i j) (distinct x y)))
(get-disjunctive-interpolants
  (and (! (and (! (and (! (= x 0) :named I1) (= y (+ x 2))) :named I2) (= z (+ y 2))) :named I3) (= z 5)))
(get-disjunctive-interpolants
  (and (! (and (! (>= x 3) :named left) (! (>= y 4) :named right) (= z (+ x y))) :named sum) (< z 7)))
; what plays no part, and what is used twice
(get-disjunctive-interpolants (or (and false (! (> x 0) :named none)) (and (! (< y 0) :named some) (> y 0))))
(get-disjunctive-interpolants
  (let ((shared (! (> x y) :named both))) (or (and shared (> y x)) (and shared (> y z) (> z x)))))
