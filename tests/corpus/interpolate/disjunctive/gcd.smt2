; test: interpolate
; expect:
; level: 0
; The greatest common divisor of equal numbers, unfolded once, as one formula: g, and two uses of it below a disjunction.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const M Int)
(declare-const N Int)
(declare-const R Int)
(declare-const A Int)
(declare-const B Int)
(get-disjunctive-interpolants
  (and (>= M 0) (= M N) (> R M)
    (! (or (and (= M N) (= R M))
           (and (> M N) (= A (- M N)) (! (and (= A N) (= R A)) :named q))
           (and (< M N) (= B (- N M)) (! (and (= M B) (= R M)) :named r)))
      :named p)))
