; The definitions, scopes and uses of names in SMT-LIB. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

((list . (symbol) @_define) @scope
  (#any-of? @_define "define-fun" "define-fun-rec" "let" "forall" "exists" "lambda" "par" "match"))

((list . (symbol) @_declare . (symbol) @definition) @function
  (#any-of? @_declare "declare-fun" "declare-const" "define-fun" "define-fun-rec" "define-const" "declare-var" "synth-fun"))
((list . (symbol) @_declare . (symbol) @definition) @type
  (#any-of? @_declare "declare-sort" "define-sort" "declare-datatype"))
((list . (symbol) @_declare . (list (list . (symbol) @definition))) @type
  (#eq? @_declare "declare-datatypes"))

((list . (symbol) @_define . (symbol) . (list (list . (symbol) @definition) @parameter))
  (#any-of? @_define "define-fun" "define-fun-rec" "synth-fun"))
((list . (symbol) @_binder . (list (list . (symbol) @definition) @variable))
  (#any-of? @_binder "let" "forall" "exists" "lambda"))
((list . (symbol) @_let . (list (list . (symbol) . (_) @before))) (#eq? @_let "let"))
