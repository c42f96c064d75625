; test: parse
; expect: error
; level: 0
; error-line: 6
; A data type does not contain itself inside an array.
(declare-datatypes ((Tree 0)) (((leaf) (node (children (Array Int Tree))))))
