; test: interpolate
; expect: error
; level: 0
; error-line: 8
(set-option :produce-interpolants true)
(declare-const x Int)
(get-disjunctive-interpolants
  (let ((a (! (< x 0) :named p)))
    (and a (> x 0) (! (or a (> x 2)) :named q))))
