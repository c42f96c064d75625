; test: smt
; expect: unsat
; level: 0
; One write makes one difference.
(set-logic QF_ALIA)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const i Int)
(declare-const v Int)
(declare-const j Int)
(declare-const k Int)
(assert (= b (store a i v)))
(assert (distinct (select a j) (select b j)))
(assert (distinct (select a k) (select b k)))
(assert (distinct j k))
(check-sat)
