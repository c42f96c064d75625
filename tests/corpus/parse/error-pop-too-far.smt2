; test: parse
; expect: error
; level: 0
; error-line: 7
; More scopes closed than opened.
(push 1)
(pop 2)
