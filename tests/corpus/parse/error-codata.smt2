; test: parse
; expect: error
; level: 0
; error-line: 6
; Values that go on for ever are not supported.
(declare-codatatypes ((Stream 0)) (((put (head Int) (tail Stream)))))
