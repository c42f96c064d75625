; test: chc
; expect: sat
; The other way to write Horn clauses, with rules and a query. A query asks whether something is derivable, so that in this
; dialect `sat` means that it is: here, that there is a path from 1 to 5, with the derivation as evidence.
;
;   shofar --witness examples/12-rules-and-queries.smt2
(declare-rel edge (Int Int))
(declare-rel path (Int Int))
(declare-rel goal ())
(declare-var a Int)
(declare-var b Int)
(declare-var c Int)
(rule (edge 1 2))
(rule (edge 2 3))
(rule (edge 3 5))
(rule (=> (edge a b) (path a b)))
(rule (=> (and (path a b) (edge b c)) (path a c)))
(rule (=> (path 1 5) goal))
(query goal)
