; test: chc
; expect: unsat
; level: 0
; Nobody looks at the balance.
(set-logic HORN)
(declare-datatypes ((State 0)) (((state (balances (Array Int Int)) (total Int)))))
(declare-fun interface (State) Bool)
(declare-fun deposit (State State Int Int) Bool)
(declare-fun withdraw (State State Int Int) Bool)
(assert (forall ((s State) (who Int) (v Int)) (=> (>= v 0) (deposit s (state (store (balances s) who (+ (select (balances s) who) v)) (+ (total s) v)) who v))))
(assert (forall ((s State) (who Int) (v Int)) (=> (and (>= v 0)) (withdraw s (state (store (balances s) who (- (select (balances s) who) v)) (- (total s) v)) who v))))
(assert (interface (state ((as const (Array Int Int)) 0) 0)))
(assert (forall ((s State) (t State) (who Int) (v Int)) (=> (and (interface s) (deposit s t who v)) (interface t))))
(assert (forall ((s State) (t State) (who Int) (v Int)) (=> (and (interface s) (withdraw s t who v)) (interface t))))
(assert (forall ((s State) (who Int)) (=> (and (interface s) (< (select (balances s) who) 0)) false)))
(check-sat)
