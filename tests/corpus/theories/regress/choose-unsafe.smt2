; test: chc
; expect: unsat
; level: 0
; Elements chosen in any order sum up (in the spirit of Z3#7730).
(set-logic HORN)
(declare-datatypes ((Ls 0)) (((nil) (cons (hd Int) (tl Ls)))))
(declare-fun pick (Ls Int Ls) Bool)
(declare-fun all (Ls Int) Bool)
(assert (forall ((x Int) (u Ls)) (pick (cons x u) x u)))
(assert (forall ((x Int) (y Int) (u Ls) (w Ls)) (=> (pick u x w) (pick (cons y u) x (cons y w)))))
(assert (all nil 0))
(assert (forall ((u Ls) (w Ls) (x Int) (n Int)) (=> (and (pick u x w) (all w n)) (all u (+ n x)))))
(assert (forall ((n Int)) (=> (and (all (cons 1 (cons 2 nil)) n) (= n 3)) false)))
(check-sat)
