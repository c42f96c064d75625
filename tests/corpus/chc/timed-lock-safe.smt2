; test: chc
; expect: sat
; level: 0
; unknown-ok: bmc kind split-tpa tpa lawi dar houdini
; A lock that two processes take by writing their name, waiting longer than a write may take, and reading again. Time is real.
(set-logic HORN)
(declare-fun s (Bool Bool Bool Bool Bool Bool Bool Real Real) Bool)
(assert (forall ((x Real) (y Real)) (=> (and (= x 0.0) (= y 0.0)) (s false false false false false false false x y))))
; a, b: a process writes; aw, bw: it waits; ac, bc: it is inside. o: the lock is the second one's; x, y: since when.
(assert (forall ((a Bool) (aw Bool) (ac Bool) (b Bool) (bw Bool) (bc Bool) (o Bool) (x Real) (y Real) (d Real)
    (a2 Bool) (aw2 Bool) (ac2 Bool) (b2 Bool) (bw2 Bool) (bc2 Bool) (o2 Bool) (x2 Real) (y2 Real))
  (=> (and (s a aw ac b bw bc o x y)
    (or
      (and (> d 0.0) (= x2 (+ x d)) (= y2 (+ y d)) (=> a (<= x2 1.0)) (=> b (<= y2 1.0))
        (= a a2) (= aw aw2) (= ac ac2) (= b b2) (= bw bw2) (= bc bc2) (= o o2))
      (and (not a) (not aw) (not ac) (not bc) (not bw) a2 (not aw2) (not ac2) (= x2 0.0) (= y2 y) (= b b2) (= bw bw2) (= bc bc2) (= o o2))
      (and a (not a2) aw2 (not ac2) (not o2) (= x2 0.0) (= y2 y) (= b b2) (= bw bw2) (= bc bc2))
      (and aw (> x 1.0) (not o) (not a2) (not aw2) ac2 (= x2 x) (= y2 y) (= b b2) (= bw bw2) (= bc bc2) (= o o2))
      (and aw (> x 1.0) o (not a2) (not aw2) (not ac2) (= x2 x) (= y2 y) (= b b2) (= bw bw2) (= bc bc2) (= o o2))
      (and (not b) (not bw) (not bc) (not ac) (not aw) b2 (not bw2) (not bc2) (= y2 0.0) (= x2 x) (= a a2) (= aw aw2) (= ac ac2) (= o o2))
      (and b (not b2) bw2 (not bc2) o2 (= y2 0.0) (= x2 x) (= a a2) (= aw aw2) (= ac ac2))
      (and bw (> y 1.0) o (not b2) (not bw2) bc2 (= x2 x) (= y2 y) (= a a2) (= aw aw2) (= ac ac2) (= o o2))
      (and bw (> y 1.0) (not o) (not b2) (not bw2) (not bc2) (= x2 x) (= y2 y) (= a a2) (= aw aw2) (= ac ac2) (= o o2))))
    (s a2 aw2 ac2 b2 bw2 bc2 o2 x2 y2))))
(assert (forall ((a Bool) (aw Bool) (ac Bool) (b Bool) (bw Bool) (bc Bool) (o Bool) (x Real) (y Real))
  (=> (and (s a aw ac b bw bc o x y) ac bc) false)))
(check-sat)
