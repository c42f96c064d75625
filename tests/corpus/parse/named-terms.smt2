; test: parse
; expect: unsat
; level: 0
; A named term can be used by its name.
(set-option :produce-unsat-cores true)
(declare-const x Int)
(assert (! (> (! (* 2 x) :named double) 4) :named first))
(assert (! (< double 3) :named second))
(check-sat)
(get-unsat-core)
