; test: chc
; expect: sat
; level: 0
; unknown-ok: yes
; A model must hold for lists of any length (in the spirit of Z3#10726).
(set-logic HORN)
(declare-datatypes ((Ls 0)) (((nil) (cons (hd Int) (tl Ls)))))
(declare-fun merge (Ls Ls Ls) Bool)
(declare-fun sorted (Ls) Bool)
(assert (forall ((u Ls)) (merge u nil u)))
(assert (forall ((x Int)) (merge (cons x nil) (cons x nil) nil)))
(assert (sorted nil))
(assert (forall ((u Ls) (w Ls) (z Ls)) (=> (and (sorted z) (merge u w z)) (sorted u))))
(assert (forall ((x Int) (y Int)) (=> (and (sorted (cons x (cons y nil))) (> x y)) false)))
(check-sat)
