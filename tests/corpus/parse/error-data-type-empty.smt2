; test: parse
; expect: error
; level: 0
; error-line: 6
; All values of this type would contain another one.
(declare-datatypes ((Stream 0)) (((more (next Stream)))))
