; The roles of Scheme's nodes, and of those of other Lisps. Captures are roles.

(program) @block
(program (list) @statement)

(list [(list) (symbol) (number) (string) (character) (boolean) (vector) (quote) (quasiquote)] @expression)
[(number) (string) (character) (boolean)] @literal
(symbol) @name

((list . (symbol) @_define . (symbol) @variable_name . (_) @value .) @variable
  (#any-of? @_define "define" "defvar" "defparameter" "defconstant" "defconst" "setq" "set!"))
((list . (symbol) @_let . (list (list . (symbol) @variable_name . (_) @value .) @variable))
  (#any-of? @_let "let" "let*" "letrec" "letrec*"))
((list . (symbol) @_let . (list (list) @statement) @block) (#any-of? @_let "let" "let*" "letrec" "letrec*" "do"))
((list . (symbol) @_not . (_) .) @negation (#any-of? @_not "not" "null"))
[(comment) (block_comment) (sexp_comment)] @comment
(string) @verbatim
