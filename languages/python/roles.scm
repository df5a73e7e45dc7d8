; The roles of Python's nodes. Captures are roles; `filler` is the shortest text that may replace the captured
; node if it cannot be absent.

(module) @block
((block) @block (#set! filler "pass"))

([
  (assert_statement) (break_statement) (continue_statement)
  (decorated_definition) (delete_statement) (exec_statement) (expression_statement)
  (for_statement) (future_import_statement) (global_statement)
  (if_statement) (import_from_statement) (import_statement) (match_statement)
  (nonlocal_statement) (pass_statement) (print_statement) (raise_statement) (return_statement)
  (try_statement) (type_alias_statement) (while_statement) (with_statement)
] @statement (#set! filler "pass"))

; A definition with decorators is one statement with them.
(module [(class_definition) (function_definition)] @statement (#set! filler "pass"))
(block [(class_definition) (function_definition)] @statement (#set! filler "pass"))
(ERROR [(class_definition) (function_definition)] @statement (#set! filler "pass"))

(if_statement consequence: (block) @body)
(elif_clause consequence: (block) @body)
(else_clause body: (block) @body)
(for_statement body: (block) @body)
(while_statement body: (block) @body)
(with_statement body: (block) @body)
(try_statement body: (block) @body)
(except_clause (block) @body)
(finally_clause (block) @body)
(case_clause consequence: (block) @body)
(function_definition body: (block) @body)
(class_definition body: (block) @body)

[(expression) (primary_expression)] @expression
[(integer) (float) (string) (true) (false) (none) (ellipsis)] @literal
(identifier) @name
(type) @type
; Whatever `str` decorates, it accepts it.
((decorator (_) @expression) (#set! filler "str"))
(function_definition name: (_) @function_name parameters: (_) @parameters) @function
(call function: [(identifier) (attribute)] arguments: (argument_list) @arguments) @call
(return_statement (_) @returned)
(assignment left: (identifier) @variable_name right: (_) @value) @variable
(assignment left: (_) @target right: (_) @value)
(augmented_assignment left: (_) @target right: (_) @value)
[(call) (attribute) (subscript) (parenthesized_expression)] @access
((call function: (identifier) @_function arguments: (argument_list . (_) . (_) @computed_name))
  (#eq? @_function "getattr"))
(not_operator) @negation
(comment) @comment
(string) @verbatim

(_ "," @separator)
(block ";" @separator)
(module ";" @separator)
