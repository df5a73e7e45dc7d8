; The definitions, scopes and uses of names in WebAssembly's text format. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs). Types are in a name space of their own, as the tags of C are.

((list . (symbol) @_module) @hoisted @scope (#eq? @_module "module"))
((list . (symbol) @_scope) @scope (#any-of? @_scope "func" "block" "loop" "if" "try" "try_table"))

((list . (symbol) @_function . (symbol) @definition.function) @function
  (#eq? @_function "func") (#begins? @definition.function "$"))
((list . (symbol) @_type . (symbol) @definition) @tag (#eq? @_type "type") (#begins? @definition "$"))
((list . (symbol) @_variable . (symbol) @definition) @variable
  (#any-of? @_variable "global" "memory" "table" "data" "elem" "tag" "local") (#begins? @definition "$"))
((list . (symbol) @_parameter . (symbol) @definition) @parameter
  (#eq? @_parameter "param") (#begins? @definition "$"))
((list . (symbol) @_field . (symbol) @definition) @field (#eq? @_field "field") (#begins? @definition "$"))
((list . (symbol) @_block . (symbol) @definition) @label
  (#any-of? @_block "block" "loop" "if" "try" "try_table") (#begins? @definition "$"))

((list . (symbol) @_type (symbol) @use.tag)
  (#any-of? @_type "type" "ref" "sub" "ref.cast" "ref.test" "ref.null" "struct.new" "struct.new_default" "array.new" "array.get"
    "array.set" "array.new_default" "array.new_fixed" "call_ref" "return_call_ref"))
((list . (symbol) @_type . (symbol) @use.tag (symbol) @use.field)
  (#any-of? @_type "struct.get" "struct.get_s" "struct.get_u" "struct.set"))
((list . (symbol) @_branch (symbol) @use.label)
  (#any-of? @_branch "br" "br_if" "br_table" "br_on_null" "br_on_non_null" "br_on_cast" "delegate" "rethrow"))
