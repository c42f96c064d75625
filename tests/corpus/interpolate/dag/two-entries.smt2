; test: interpolate
; expect: error
; level: 0
; error-line: 8
(set-option :produce-interpolants true)
(declare-const x Int)
(get-dag-interpolants ((en a (= x 0)) (a ex (= x 1))
  (other a (= x 2))))
