; The roles of PHP's nodes. Captures are roles; `filler` is the shortest text that may replace the captured node if it
; cannot be absent.

[
  (program) (declaration_list) (enum_declaration_list) (switch_block) (match_block) (colon_block)
] @block
((compound_statement) @block (#set! filler "{}"))

((statement) @statement (#set! filler ";"))
[
  (method_declaration) (property_declaration) (const_declaration) (use_declaration) (enum_case) (case_statement)
  (default_statement) (namespace_use_declaration)
] @statement

(if_statement body: (_) @body)
(else_clause body: (_) @body)
(else_if_clause body: (_) @body)
(while_statement body: (_) @body)
(do_statement body: (_) @body)
(for_statement body: (_) @body)
(foreach_statement body: (_) @body)
(try_statement body: (_) @body)
(catch_clause body: (_) @body)
(finally_clause body: (_) @body)
(function_definition body: (_) @body (#set! filler "{}"))
(method_declaration body: (_) @body)
(anonymous_function body: (_) @body)

(expression) @expression
; What an access reaches through is another supertype's in the grammar, although any expression may stand there.
(member_access_expression object: (_) @expression)
(member_call_expression object: (_) @expression)
(nullsafe_member_access_expression object: (_) @expression)
(nullsafe_member_call_expression object: (_) @expression)
(subscript_expression . (_) @expression)
[(integer) (float) (string) (encapsed_string) (boolean) (null)] @literal
(name) @name
(type) @type

(function_definition name: (_) @function_name parameters: (_) @parameters) @function
(method_declaration name: (_) @function_name parameters: (_) @parameters) @function
(function_call_expression function: (name) arguments: (_) @arguments) @call
(member_call_expression name: (name) arguments: (_) @arguments) @call
(nullsafe_member_call_expression name: (name) arguments: (_) @arguments) @call
(scoped_call_expression name: (name) arguments: (_) @arguments) @call
(object_creation_expression (name) (arguments) @arguments) @call
(return_statement (_) @returned)
(assignment_expression left: (variable_name) @variable_name right: (_) @value) @variable
(assignment_expression left: (_) @target right: (_) @value)
(augmented_assignment_expression left: (_) @target right: (_) @value)
[
  (function_call_expression) (member_call_expression) (member_access_expression) (subscript_expression)
  (parenthesized_expression) (cast_expression) (nullsafe_member_access_expression)
  (nullsafe_member_call_expression) (scoped_call_expression) (scoped_property_access_expression)
  (class_constant_access_expression)
] @access
(member_call_expression name: [
  (variable_name) (binary_expression) (encapsed_string) (string) (subscript_expression) (member_access_expression)
  (function_call_expression)
] @computed_name)
(function_call_expression function: [(variable_name) (subscript_expression)] @computed_name)
(unary_op_expression operator: "!") @negation
(comment) @comment
[(string) (encapsed_string) (heredoc) (nowdoc) (text)] @verbatim

(class_declaration body: (_) @members)
(interface_declaration body: (_) @members)
(trait_declaration body: (_) @members)

(_ "," @separator)
