; test: smt
; expect: sat
; level: 0
; Names and negative values are printed so that they can be read again.
(declare-const |two words| Int)
(declare-const |x'| Real)
(assert (= |two words| (- 12)))
(assert (= |x'| (- (/ 1 3))))
(check-sat)
(get-model)
(get-value (|two words| |x'|))
