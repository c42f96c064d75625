; test: parse
; expect: error
; level: 0
; error-line: 7
; The same name twice in one scope.
(declare-const x Int)
(declare-const x Real)
