; test: smt
; expect: unsat
; level: 0
;
; An unsatisfiable core tells which of the named assertions contradict each other.

(set-option :produce-unsat-cores true)
(set-option :minimal-unsat-cores true)   ; leave out everything superfluous
(set-logic QF_LRA)

(declare-const budget Real)
(declare-const rent Real)
(declare-const food Real)
(declare-const fun Real)

(assert (! (= (+ rent food fun) budget) :named everything-is-spent))
(assert (! (<= budget 1000) :named income))
(assert (! (>= rent 600) :named landlord))
(assert (! (>= food 300) :named hunger))
(assert (! (>= fun 150) :named friends))
(assert (! (<= fun 500) :named moderation))

(check-sat)
(get-unsat-core)                         ; all but `moderation`
