; test: parse
; expect: sat
; level: 0
; Global declarations outlive their scope, those of sorts and functions as well.
(set-option :global-declarations true)
(push 1)
(declare-sort S 0)
(declare-fun f (S) S)
(declare-const a S)
(assert (= a (f a)))
(pop 1)
(assert (distinct a (f a) (f (f a))))
(check-sat)
(get-model)
