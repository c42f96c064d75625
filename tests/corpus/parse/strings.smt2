; test: parse
; expect: sat
; level: 0
; A doubled quotation mark inside a string stands for one.
(set-info :notes "a ""quoted"" word, a ) and a ; inside")
(declare-const p Bool)
(assert p)
(check-sat)
