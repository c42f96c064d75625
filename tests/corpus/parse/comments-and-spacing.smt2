; test: parse
; expect: sat unsat
; level: 0
; White space and comments separate tokens and nothing else.
(set-info :source |A source
over two lines; with a semicolon|)
(set-logic   QF_LIA)	; a tab before this comment
(declare-fun x()Int)(declare-const y Int)
(assert(< x(+ y 0))) ; no blanks where none are needed
(check-sat)
(assert (<
  y
  x))
(check-sat)
