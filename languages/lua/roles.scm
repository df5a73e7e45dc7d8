; The roles of Lua's nodes. Captures are roles.

[(chunk) (block)] @block

(statement) @statement
[(return_statement) (elseif_statement) (else_statement)] @statement

(if_statement consequence: (_) @body)
(if_statement alternative: (_ body: (_) @body))
(while_statement body: (_) @body)
(repeat_statement body: (_) @body)
(for_statement body: (_) @body)
(do_statement body: (_) @body)
(function_declaration body: (_) @body)

(expression) @expression
; What an access reaches through is another supertype's in the grammar, although any expression may stand there.
(dot_index_expression table: (_) @expression)
(method_index_expression table: (_) @expression)
(bracket_index_expression table: (_) @expression)
[(number) (string) (nil) (true) (false)] @literal
(identifier) @name

(function_declaration name: (identifier) @function_name parameters: (_) @parameters) @function
(function_declaration name: (dot_index_expression field: (_) @function_name) parameters: (_) @parameters) @function
(function_declaration name: (method_index_expression method: (_) @function_name) parameters: (_) @parameters) @function
(function_call name: (_) arguments: (_) @arguments) @call
(return_statement (expression_list . (_) @returned .))
(variable_declaration (assignment_statement
  (variable_list . (identifier) @variable_name .) (expression_list . (_) @value .)) @variable)
(assignment_statement (variable_list . (_) @target .) (expression_list . (_) @value .))
[
  (function_call) (dot_index_expression) (method_index_expression) (bracket_index_expression) (parenthesized_expression)
] @access
(function_call name: (bracket_index_expression field: (_) @computed_name))
(unary_expression "not") @negation
(comment) @comment

(field name: (identifier)) @field_value

(_ "," @separator)
(_ ";" @separator)
