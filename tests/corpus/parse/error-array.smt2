; test: parse
; expect: error
; level: 0
; error-line: 7
; An array is read at an index of its own sort.
(declare-const a (Array Int Int))
(assert (= (select a true) 0))
