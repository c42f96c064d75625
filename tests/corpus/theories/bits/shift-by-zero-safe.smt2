; test: chc
; expect: sat
; level: 0
; A number that is shifted as a vector of 32 bits, but by no place, stays what it is.
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((n Int) (by Int) (m Int))
  (=> (and (<= 0 n 4294967295) (<= 0 by 4294967295) (= m (ubv_to_int (bvshl ((_ int_to_bv 32) n) ((_ int_to_bv 32) by))))) (p n by m))))
(assert (forall ((n Int) (by Int) (m Int)) (=> (and (p n by m) (< by 1) (not (= n m))) false)))
(check-sat)
