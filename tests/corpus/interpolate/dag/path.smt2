; test: interpolate
; expect: error
; level: 0
; error-line: 9
; One of the two paths can be taken.
(set-option :produce-interpolants true)
(declare-const x Int)
(declare-const y Int)
(get-dag-interpolants ((en a (= x 0)) (en b (= x 1)) (a c (= y x)) (b c (= y (+ x 1))) (c ex (> y 1))))
