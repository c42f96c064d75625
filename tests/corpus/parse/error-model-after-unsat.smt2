; test: parse
; expect: error
; level: 0
; error-line: 9
; There is no model to show.
(set-option :produce-models true)
(declare-const p Bool)
(assert false)
(get-model)
