; test: smt
; expect: sat
; level: 0
; Declarations and testers of before version 2.6.
(set-logic ALL)
(declare-datatypes () ((E e0 (e1 (e2 E) (e3 Int)))))
(declare-const x E)
(assert (is-e1 x))
(assert (= (e3 x) 4))
(check-sat)
(get-value ((e3 x) (is-e0 x)))
