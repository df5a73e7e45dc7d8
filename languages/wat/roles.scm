; The roles of the nodes of WebAssembly's text format. Captures are roles. The grammar knows lists only: what stands where in them
; follows from the symbol that they begin with.

(program) @block
(program (list) @statement)
((list . (symbol) @_module (list) @statement) @block (#eq? @_module "module"))

; Instructions stand for each other; descriptions of types, modules and instructions' parts do not.
((list . (symbol) @_field) @expression
  (#not-any-of? @_field
    "module" "type" "rec" "sub" "func" "param" "result" "local" "import" "export" "global" "memory" "table" "data" "elem" "start"
    "tag" "mut" "ref" "array" "struct" "field" "cont" "offset" "item" "declare" "then" "else" "do" "catch" "catch_all" "delegate"
    "assert_return" "assert_trap" "assert_invalid" "assert_malformed" "assert_exhaustion" "assert_unlinkable" "register" "invoke"
    "get" "quote" "binary" "instance"))

; The instructions of a function or a block are a sequence.
((list . (symbol) @_function (list) @statement)
  (#any-of? @_function "func" "block" "loop" "then" "else" "do" "catch" "catch_all" "rec" "struct"))
((list . (symbol) @_if (list . (symbol) @_then) @body) (#eq? @_if "if") (#any-of? @_then "then" "else"))

; Every list needs its first symbol.
(list . (symbol) @needed)

((symbol) @name (#begins? @name "$"))
; The parser sees a number where a string is, too.
(number) @literal @verbatim
((symbol) @type
  (#any-of? @type "i32" "i64" "f32" "f64" "v128" "funcref" "externref" "anyref" "eqref" "i31ref" "structref" "arrayref" "nullref"
    "i8" "i16"))
((list . (symbol) @_type) @type (#any-of? @_type "ref" "mut"))

((list . (symbol) @_set . (symbol) @target . (list) @value .) @variable
  (#any-of? @_set "local.set" "local.tee" "global.set"))
((list . (symbol) @_not . (_) .) @negation (#any-of? @_not "i32.eqz" "i64.eqz"))
((list . (symbol) @_return . (list) @returned .) (#eq? @_return "return"))
[(comment) (block_comment) (sexp_comment)] @comment
