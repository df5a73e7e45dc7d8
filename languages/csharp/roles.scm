; The roles of C#'s nodes. Captures are roles; `filler` is the shortest text that may replace the captured node if it
; cannot be absent.

[
  (compilation_unit) (declaration_list) (enum_member_declaration_list) (switch_body) (accessor_list)
] @block
((block) @block (#set! filler "{}"))

((statement) @statement (#set! filler ";"))
[(declaration) (using_directive) (namespace_declaration) (global_statement) (switch_section)] @statement
[
  (accessor_declaration) (enum_member_declaration) (extern_alias_directive) (class_declaration)
  (struct_declaration) (interface_declaration) (record_declaration) (enum_declaration) (delegate_declaration)
] @statement

(if_statement consequence: (_) @body)
(if_statement alternative: (_) @body)
(while_statement body: (_) @body)
(do_statement body: (_) @body)
(for_statement body: (_) @body)
(foreach_statement body: (_) @body)
(using_statement body: (_) @body)
(try_statement body: (_) @body)
(catch_clause body: (_) @body)
(finally_clause (block) @body)
(labeled_statement (statement) @body)
(lock_statement (statement) @body)
(checked_statement (block) @body)
(unsafe_statement (block) @body)
(method_declaration body: (_) @body (#set! filler ";"))
(constructor_declaration body: (_) @body (#set! filler "{}"))
(local_function_statement body: (_) @body (#set! filler "{}"))
(lambda_expression body: (block) @body (#set! stub "{throw null;}"))
(method_declaration body: (block) @body (#set! stub "{throw null;}"))
(constructor_declaration body: (block) @body (#set! stub "{throw null;}"))
(local_function_statement body: (block) @body (#set! stub "{throw null;}"))
(namespace_declaration body: (_) @body)

(expression) @expression
(expression_statement (_) @expression)
(literal) @literal
[
  (boolean_literal) (character_literal) (integer_literal) (null_literal) (raw_string_literal) (real_literal)
  (string_literal) (verbatim_string_literal)
] @literal
(identifier) @name
([
  (predefined_type) (generic_name) (array_type) (nullable_type) (pointer_type) (qualified_name) (tuple_type)
] @type (#set! filler "int"))
(_ type: (identifier) @type (#set! filler "int"))
(method_declaration returns: (identifier) @type (#set! filler "int"))

(method_declaration name: (_) @function_name parameters: (_) @parameters) @function
(constructor_declaration name: (_) @function_name parameters: (_) @parameters) @function
(local_function_statement name: (_) @function_name parameters: (_) @parameters) @function
(invocation_expression
  function: [(identifier) (member_access_expression)] arguments: (_) @arguments) @call
(object_creation_expression type: [(identifier) (generic_name)] arguments: (_) @arguments) @call
(constructor_initializer (argument_list) @arguments) @call
((method_declaration (modifier) @_mark) @override (#any-of? @_mark "override"))
((property_declaration (modifier) @_mark) @override (#any-of? @_mark "override"))
(return_statement (_) @returned)
(variable_declarator name: (identifier) @variable_name (_) @value) @variable
(assignment_expression left: (identifier) @variable_name right: (_) @value) @variable
(assignment_expression left: (_) @target right: (_) @value)
[
  (invocation_expression) (member_access_expression) (element_access_expression) (parenthesized_expression)
  (cast_expression)
] @access
[(prefix_unary_expression "!") (unary_expression operator: "!")] @negation
(comment) @comment
[(raw_string_literal) (verbatim_string_literal) (interpolated_string_expression)] @verbatim

(type_parameter_list) @type_parameters
(type_argument_list) @type_arguments
(class_declaration body: (_) @members)
(struct_declaration body: (_) @members)
(interface_declaration body: (_) @members)
(record_declaration body: (_) @members)
(initializer_expression (assignment_expression left: (identifier)) @field_value)

(_ "," @separator)
