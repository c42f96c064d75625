; test: parse
; expect: unsat
; level: 0
; The commands for recursive functions may define functions that are not.
(define-fun-rec twice ((x Int)) Int (* 2 x))
(define-fun-rec five () Int 5)
(define-funs-rec ((next ((x Int)) Int) (both ((x Int) (next Int)) Bool))
  ((+ x 1) (= (twice (+ x next)) (+ x x next next))))
(declare-const y Int)
(assert (not (and (both y five) (= (next five) 6))))
(check-sat)
