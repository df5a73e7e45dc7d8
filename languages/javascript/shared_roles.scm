; The roles of the nodes that JavaScript and TypeScript share. Captures are roles; `filler` is the shortest text that may replace the captured node if
; it cannot be absent.

[(program) (class_body) (switch_body)] @block
((statement_block) @block (#set! filler "{}"))

((statement) @statement (#set! filler ";"))
[
  (method_definition) (class_static_block) (switch_case) (switch_default)
] @statement

(if_statement consequence: (_) @body)
(else_clause (statement) @body)
(for_statement body: (_) @body)
(for_in_statement body: (_) @body)
(while_statement body: (_) @body)
(do_statement body: (_) @body)
(with_statement body: (_) @body)
(labeled_statement body: (_) @body)
(try_statement body: (_) @body)
(catch_clause body: (_) @body)
(finally_clause body: (_) @body)
(function_declaration body: (_) @body)
(generator_function_declaration body: (_) @body)
(function_expression body: (_) @body)
(arrow_function body: (statement_block) @body)
(method_definition body: (_) @body)

(expression) @expression
; What an access reaches through is another supertype's in the grammar, although any expression may stand there.
(member_expression object: (_) @expression)
(subscript_expression object: (_) @expression)
[
  (number) (string) (template_string) (true) (false) (null) (undefined) (regex)
] @literal
[
  (identifier) (property_identifier) (private_property_identifier) (shorthand_property_identifier)
  (shorthand_property_identifier_pattern) (statement_identifier)
] @name

(function_declaration name: (_) @function_name parameters: (_) @parameters) @function
(generator_function_declaration name: (_) @function_name parameters: (_) @parameters) @function
(method_definition name: (_) @function_name parameters: (_) @parameters) @function
(variable_declarator name: (identifier) @function_name
  value: [(arrow_function parameters: (_) @parameters) (function_expression parameters: (_) @parameters)]) @function
(assignment_expression left: (member_expression property: (property_identifier) @function_name)
  right: [(arrow_function parameters: (_) @parameters) (function_expression parameters: (_) @parameters)]) @function
(pair key: (property_identifier) @function_name
  value: [(arrow_function parameters: (_) @parameters) (function_expression parameters: (_) @parameters)]) @function
(call_expression
  function: [(identifier) (member_expression)] arguments: (arguments) @arguments) @call
(call_expression function: (super) arguments: (arguments) @arguments) @call
(new_expression constructor: [(identifier) (member_expression)] arguments: (arguments) @arguments) @call
(return_statement (_) @returned)
(arrow_function body: (expression) @returned)
(variable_declarator name: (identifier) @variable_name value: (_) @value) @variable
(lexical_declaration kind: "const" (variable_declarator value: (_) @needed))
(variable_declarator name: [(object_pattern) (array_pattern)] value: (_) @needed)
(assignment_expression left: (identifier) @variable_name right: (_) @value) @variable
(assignment_expression left: (_) @target right: (_) @value)
(augmented_assignment_expression left: (_) @target right: (_) @value)
[
  (call_expression) (member_expression) (subscript_expression) (parenthesized_expression)
  (await_expression)
] @access
(unary_expression operator: "!") @negation
(comment) @comment
(template_string) @verbatim

(call_expression function: (subscript_expression index: (_) @computed_name))
[(pair key: (property_identifier)) (shorthand_property_identifier) (export_specifier)] @field_value
[(shorthand_property_identifier) (shorthand_property_identifier_pattern)] @shorthand

(_ "," @separator)
(class_body ";" @terminator)
