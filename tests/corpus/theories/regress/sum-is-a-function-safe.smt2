; test: chc
; expect: sat
; level: 0
; unknown-ok: yes
; One plus the sum of a list is a function of it (in the spirit of Z3#7611).
(set-logic HORN)
(declare-datatypes ((Ls 0)) (((nil) (cons (hd Int) (tl Ls)))))
(declare-fun f (Int Ls) Bool)
(assert (f 1 nil))
(assert (forall ((u Ls) (w Ls) (a Int) (b Int)) (=> (and (f b u) (f b w)) (f a (cons (- a b) w)))))
(assert (forall ((u Ls) (a Int) (b Int)) (=> (and (f a u) (f b u) (distinct a b)) false)))
(check-sat)
