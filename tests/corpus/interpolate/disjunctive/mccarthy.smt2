; test: interpolate
; expect:
; level: 0
; McCarthy's function returns at once, or calls itself twice, and each call returns at once.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const n Int)
(declare-const r Int)
(declare-const n1 Int)
(declare-const r1 Int)
(declare-const n2 Int)
(declare-const r2 Int)
(get-disjunctive-interpolants
  (and (! (<= n 100) :named r5) (distinct r 91)
    (! (or (and (> n 100) (= r (- n 10)))
           (and (<= n 100) (= n1 (+ n 11)) (= n2 r1) (= r r2)
             (! (and (> n1 100) (= r1 (- n1 10))) :named rfb)
             (! (and (> n2 100) (= r2 (- n2 10))) :named rfc)))
      :named rf)))
