; test: smt
; expect: unsat sat
; level: 0
; Both generations of names.
(set-logic ALL)
(declare-const x (_ BitVec 4))
(declare-const n Int)
(push 1)
(assert (or (< (ubv_to_int x) 0) (> (ubv_to_int x) 15) (< (sbv_to_int x) (- 8)) (distinct ((_ int_to_bv 4) (sbv_to_int x)) x) (distinct (bv2nat x) (ubv_to_int x))))
(check-sat)
(pop 1)
(assert (= ((_ int2bv 4) n) x))
(assert (> n 100))
(assert (= (sbv_to_int x) (- 3)))
(check-sat)
(get-value (x))
