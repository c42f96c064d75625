; test: smt
; expect: unsat
; level: 0
; Extraction, rotation, repetition and extension.
(set-logic QF_BV)
(declare-const x (_ BitVec 6))
(assert (not (and (= x (concat ((_ extract 5 2) x) ((_ extract 1 0) x)))
  (= ((_ rotate_left 2) x) (concat ((_ extract 3 0) x) ((_ extract 5 4) x)))
  (= ((_ rotate_right 8) x) ((_ rotate_left 4) x))
  (= ((_ repeat 2) x) (concat x x))
  (= ((_ extract 5 0) ((_ sign_extend 3) x)) x)
  (bvsle ((_ sign_extend 1) x) ((_ zero_extend 1) x)))))
(check-sat)
