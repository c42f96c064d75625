; test: interpolate
; expect:
; level: 0
; From 0 by one or two, twice: never more than 4. The paths are four, the interpolants one for each vertex.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(get-dag-interpolants (
  (start first (= x 0))
  (first second (= y (+ x 1)))
  (first second (= y (+ x 2)))
  (second third (= z (+ y 1)))
  (second third (= z (+ y 2)))
  (third end (> z 4))))
