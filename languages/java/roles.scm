; The roles of Java's nodes. Captures are roles; `filler` is the shortest text that may replace the captured node if it
; cannot be absent.

[
  (program) (class_body) (interface_body) (enum_body) (enum_body_declarations) (annotation_type_body)
  (constructor_body) (switch_block)
] @block
((block) @block (#set! filler "{}"))

((statement) @statement (#set! filler ";"))
[
  (import_declaration) (package_declaration) (class_declaration) (interface_declaration)
  (enum_declaration) (record_declaration) (annotation_type_declaration) (method_declaration)
  (constructor_declaration) (compact_constructor_declaration) (field_declaration)
  (constant_declaration) (static_initializer) (explicit_constructor_invocation)
  (annotation_type_element_declaration) (switch_block_statement_group) (switch_rule)
  (module_declaration)
] @statement

(if_statement consequence: (_) @body)
(if_statement alternative: (_) @body)
(for_statement body: (_) @body)
(enhanced_for_statement body: (_) @body)
(while_statement body: (_) @body)
(do_statement body: (_) @body)
(labeled_statement (statement) @body)
(synchronized_statement body: (_) @body)
(try_statement body: (_) @body)
(try_with_resources_statement body: (_) @body)
(catch_clause body: (_) @body)
(finally_clause (block) @body)
(method_declaration body: (block) @body (#set! filler ";") (#set! stub "{throw null;}"))
(method_declaration type: (void_type) body: (block) @body (#set! stub "{}"))
(constructor_declaration body: (_) @body (#set! filler "{}") (#set! stub "{throw null;}"))
; Without its call, the constructor of the class above might need arguments.
(constructor_declaration body: (constructor_body (explicit_constructor_invocation)) @body (#set! stub ""))
(lambda_expression body: (block) @body (#set! stub "{throw null;}"))

(expression) @expression
; What an access reaches through is another supertype's in the grammar, although any expression may stand there.
(method_invocation object: (_) @expression)
(field_access object: (_) @expression)
(array_access array: (_) @expression)
[
  (decimal_integer_literal) (hex_integer_literal) (octal_integer_literal) (binary_integer_literal)
  (decimal_floating_point_literal) (character_literal) (string_literal) (true) (false) (null_literal)
] @literal
[(identifier) (type_identifier)] @name
([
  (type_identifier) (generic_type) (array_type) (scoped_type_identifier) (integral_type)
  (floating_point_type) (boolean_type) (void_type) (annotated_type)
] @type (#set! filler "int"))

(method_declaration name: (identifier) @function_name parameters: (_) @parameters) @function
(constructor_declaration name: (identifier) @function_name parameters: (_) @parameters) @function
(method_invocation name: (identifier) arguments: (_) @arguments) @call
(object_creation_expression type: [(type_identifier) (generic_type)] arguments: (_) @arguments) @call
(explicit_constructor_invocation arguments: (_) @arguments) @call
(enum_constant arguments: (_) @arguments) @call
((method_declaration (modifiers (marker_annotation name: (_) @_mark))) @override (#any-of? @_mark "Override"))
(return_statement (_) @returned)
(variable_declarator name: (identifier) @variable_name value: (_) @value) @variable
(assignment_expression left: (identifier) @variable_name right: (_) @value) @variable
(assignment_expression left: (_) @target right: (_) @value)
[
  (method_invocation) (field_access) (array_access) (parenthesized_expression) (cast_expression)
] @access
(unary_expression operator: "!") @negation
[(line_comment) (block_comment)] @comment
(string_literal) @verbatim

(type_parameters) @type_parameters
(type_arguments) @type_arguments
(class_declaration body: (_) @members)
(interface_declaration body: (_) @members)

(_ "," @separator)
(class_body ";" @terminator)

[
  (block) (constructor_body) (expression_statement) (local_variable_declaration) (if_statement)
  (switch_expression) (while_statement) (do_statement) (for_statement) (enhanced_for_statement)
  (return_statement) (break_statement) (continue_statement) (yield_statement) (labeled_statement)
  (throw_statement) (try_statement) (try_with_resources_statement) (synchronized_statement)
  (assert_statement)
] @inner
