; test: interpolate
; expect: error
; level: 0
; error-line: 8
(set-option :produce-interpolants true)
(declare-const x Int)
(get-dag-interpolants ((en a (= x 0)) (a b true) (b ex (= x 1))
  (b a (= x 2))))
