; The definitions, scopes and uses of names in Scheme and other Lisps. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

((list . (symbol) @_define) @scope
  (#any-of? @_define "define" "lambda" "let" "let*" "letrec" "letrec*" "do" "defun" "defmacro" "defsubst" "flet" "labels" "dolist"
    "dotimes" "case-lambda" "define-syntax" "syntax-rules"))

((list . (symbol) @_define . (symbol) @definition) @variable
  (#any-of? @_define "define" "defvar" "defparameter" "defconstant" "defconst" "defcustom"))
((list . (symbol) @_define . (list . (symbol) @definition)) @function (#eq? @_define "define"))
((list . (symbol) @_define . (symbol) @definition) @function
  (#any-of? @_define "defun" "defmacro" "defsubst" "defgeneric" "defmethod"))
((list . (symbol) @_define . (symbol) @definition) @macro (#eq? @_define "define-syntax"))
((list . (symbol) @_define . (symbol) @definition) @type (#any-of? @_define "defclass" "deftype"))

((list . (symbol) @_define . (list . (symbol) (symbol) @definition @parameter)) (#eq? @_define "define"))
((list . (symbol) @_lambda . (list (symbol) @definition @parameter)) @function (#eq? @_lambda "lambda"))
((list . (symbol) @_define . (symbol) . (list (symbol) @definition @parameter))
  (#any-of? @_define "defun" "defmacro" "defsubst" "defmethod"))
((list . (symbol) @_let . (list (list . (symbol) @definition) @variable))
  (#any-of? @_let "let" "let*" "letrec" "letrec*" "do"))
((list . (symbol) @_let . (list (list . (symbol) . (_) @before))) (#any-of? @_let "let" "let*" "do"))
((list . (symbol) @_let . (symbol) . (list (list . (symbol) . (_) @before))) (#eq? @_let "let"))
((list . (symbol) @_let . (symbol) @definition.function . (list (list . (symbol) @definition) @variable)) @function
  (#eq? @_let "let"))
