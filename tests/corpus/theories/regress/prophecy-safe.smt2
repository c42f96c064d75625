; test: chc
; expect: sat
; level: 0
; unknown-ok: yes
; Adding one to each element adds the length to the sum (in the spirit of Z3#2641).
(set-logic HORN)
(declare-datatypes ((Ls 0)) (((nil) (cons (hd Int) (tl Ls)))))
(declare-fun inc (Ls Ls) Bool)
(declare-fun len (Ls Int) Bool)
(declare-fun sum (Ls Int) Bool)
(assert (inc nil nil))
(assert (forall ((x Int) (u Ls) (w Ls)) (=> (inc u w) (inc (cons x u) (cons (+ x 1) w)))))
(assert (len nil 0))
(assert (forall ((x Int) (u Ls) (n Int)) (=> (len u n) (len (cons x u) (+ n 1)))))
(assert (sum nil 0))
(assert (forall ((x Int) (u Ls) (n Int)) (=> (sum u n) (sum (cons x u) (+ n x)))))
(assert (forall ((u Ls) (w Ls) (n Int) (s Int) (t Int)) (=> (and (inc u w) (len u n) (sum u s) (sum w t) (distinct t (+ s n))) false)))
(check-sat)
