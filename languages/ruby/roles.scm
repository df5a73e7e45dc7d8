; The roles of Ruby's nodes. Captures are roles; `filler` is the shortest text that may replace the captured node if it
; cannot be absent.

[
  (program) (body_statement) (block_body) (then) (do) (else) (ensure) (begin) (parenthesized_statements)
] @block

(program (_) @statement)
(body_statement (_) @statement)
(block_body (_) @statement)
(then (_) @statement)
(do (_) @statement)
(else (_) @statement)
(ensure (_) @statement)
(begin (_) @statement)
(case (when) @statement)

(if consequence: (_) @body)
(if alternative: (else) @body)
(unless consequence: (_) @body)
(elsif consequence: (_) @body)
(while body: (_) @body)
(until body: (_) @body)
(for body: (_) @body)
(when body: (_) @body)
(rescue body: (_) @body)
(method body: (body_statement) @body)
(singleton_method body: (body_statement) @body)
(block body: (_) @body)
(do_block body: (_) @body)
(if_modifier body: (_) @body)
(unless_modifier body: (_) @body)
(while_modifier body: (_) @body)

[(_expression) (_arg) (_primary)] @expression
[
  (integer) (float) (string) (simple_symbol) (delimited_symbol) (regex) (true) (false) (nil) (character)
] @literal
[(identifier) (constant) (instance_variable) (class_variable) (global_variable)] @name

(method name: (_) @function_name) @function
(method parameters: (_) @parameters)
(singleton_method name: (_) @function_name) @function
(singleton_method parameters: (_) @parameters)
(call method: (identifier)) @call
(call arguments: (_) @arguments)
(return (argument_list . (_) @returned .))
(assignment left: (identifier) @variable_name right: (_) @value) @variable
(assignment left: (_) @target right: (_) @value)
(operator_assignment left: (_) @target right: (_) @value)
[(call receiver: (_)) (element_reference) (parenthesized_statements)] @access
((call receiver: (_) method: (identifier) @_method arguments: (argument_list . (_) @computed_name))
  (#any-of? @_method "send" "public_send" "__send__"))
(unary operator: ["!" "not"]) @negation
(comment) @comment
[(string) (heredoc_body) (regex) (subshell) (string_array) (symbol_array)] @verbatim

(class body: (_) @members)
(module body: (_) @members)
(method body: (body_statement (_arg) @returned .))

(_ "," @separator)
(_ ";" @separator)
