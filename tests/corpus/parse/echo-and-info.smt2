; test: parse
; expect: sat
; level: 0
; Commands that only talk.
(set-option :print-success false)
(set-info :smt-lib-version 2.6)
(echo "hello")
(declare-const p Bool)
(assert (or p (not p)))
(check-sat)
(get-info :error-behavior)
(get-info :name)
