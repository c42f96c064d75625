; test: interpolate
; expect: error
; level: 0
; error-line: 8
(set-option :produce-interpolants true)
(declare-const x Int)
(get-disjunctive-interpolants (and (< x 0)
  (not (! (< x 1) :named p))))
