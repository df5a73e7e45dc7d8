; The roles of SMT-LIB's nodes. Captures are roles. The grammar knows lists only: what stands where in them follows from the symbol
; that they begin with.

(program) @block
(program (list) @statement)

; Terms: what a command or a binder is about, and the arguments of a function.
((list . (symbol) @_command . (_) @expression) (#any-of? @_command "assert" "assert-not" "!" "simplify" "minimize" "maximize"))
((list . (symbol) @_define . (_) . (_) . (_) . (_) @expression .)
  (#any-of? @_define "define-fun" "define-fun-rec" "define-const"))
((list . (symbol) @_binder . (list) . (_) @expression .) (#any-of? @_binder "let" "forall" "exists" "lambda"))
((list . (symbol) @_let . (list (list . (symbol) . (_) @expression .))) (#eq? @_let "let"))
((list . (symbol) @_function (_) @expression)
  (#not-any-of? @_function
    "_" "as" "!" "let" "forall" "exists" "lambda" "match" "par"
    "declare-fun" "declare-const" "declare-sort" "declare-var" "declare-datatype" "declare-datatypes"
    "define-fun" "define-fun-rec" "define-funs-rec" "define-const" "define-sort" "synth-fun"
    "set-info" "set-option" "set-logic" "get-value" "get-info" "get-option" "echo" "push" "pop" "check-sat-assuming"))
((list . (list . (symbol) @_index) (_) @expression) (#any-of? @_index "_" "as"))

; Every list needs its first symbol, and all arguments unless the function takes any number of them.
(list . (symbol) @needed)
(list . (list) . (symbol) @needed)
((list . (symbol) @_function (_) @needed)
  (#not-any-of? @_function
    "and" "or" "xor" "=>" "=" "distinct" "+" "-" "*" "/" "<" "<=" ">" ">=" "concat" "!" "match" "par"
    "bvadd" "bvmul" "bvand" "bvor" "bvxor" "str.++" "re.++" "re.union" "re.inter" "set.insert"))
((list . (symbol) @_binder . (list (list (_) @needed)))
  (#any-of? @_binder "let" "forall" "exists" "lambda"))

[(number) (string) (boolean)] @literal
((symbol) @literal (#any-of? @literal "true" "false"))
(symbol) @name

((list . (symbol) @_define . (symbol) @variable_name . (list) @_none . (_) . (_) @value .) @variable
  (#any-of? @_define "define-fun" "define-fun-rec")
  (#any-of? @_none "()" "( )"))
((list . (symbol) @_define . (symbol) @variable_name . (_) . (_) @value .) @variable
  (#eq? @_define "define-const"))
((list . (symbol) @_let . (list (list . (symbol) @variable_name . (_) @value .) @variable))
  (#eq? @_let "let"))
((list . (symbol) @_binder . (list (list) @statement) @block) (#any-of? @_binder "let" "forall" "exists" "lambda"))
((list . (symbol) @_not . (_) .) @negation (#eq? @_not "not"))
[(comment) (block_comment) (sexp_comment)] @comment
(string) @verbatim
