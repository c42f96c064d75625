; test: interpolate
; expect: error
; level: 0
; error-line: 7
(set-option :produce-interpolants true)
(declare-const x Int)
(get-disjunctive-interpolants (and (! (< x 0) :named p) (< x 1)))
