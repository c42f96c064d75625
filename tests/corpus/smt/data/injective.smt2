; test: smt
; expect: unsat sat
; level: 0
; Constructors are injective.
(set-logic ALL)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-const x L)
(declare-const y L)
(declare-const i Int)
(assert (= (cons i x) (cons 3 y)))
(push 1)
(assert (or (distinct i 3) (distinct x y)))
(check-sat)
(pop 1)
(assert ((_ is cons) x))
(check-sat)
(get-model)
