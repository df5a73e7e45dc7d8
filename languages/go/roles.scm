; The roles of Go's nodes. Captures are roles; `filler` is the shortest text that may replace the captured node if it
; cannot be absent.

[(source_file) (statement_list) (field_declaration_list) (import_spec_list) (var_spec_list)] @block

((_statement) @statement (#set! filler ";"))
[
  (import_declaration) (function_declaration) (method_declaration) (field_declaration) (expression_case)
  (default_case) (type_case) (communication_case) (method_elem)
] @statement
(import_spec_list (import_spec) @statement)
(interface_type (type_elem) @statement)
(var_spec_list (var_spec) @statement)
(const_declaration "(" (const_spec) @statement)
(type_declaration "(" (type_spec) @statement)

(function_declaration body: (block) @body @needed (#set! filler "{}") (#set! stub "{}"))
(method_declaration body: (block) @body @needed (#set! filler "{}") (#set! stub "{}"))
; Whatever has a result must not reach its end.
(function_declaration result: (_) body: (block) @body (#set! filler "{ panic(0) }") (#set! stub "{ panic(0) }"))
(method_declaration result: (_) body: (block) @body (#set! filler "{ panic(0) }") (#set! stub "{ panic(0) }"))
(function_declaration result: (_) body: (block (statement_list) @needed))
(method_declaration result: (_) body: (block (statement_list) @needed))
(func_literal result: (_) body: (block (statement_list) @needed))
(function_declaration result: (_) body: (block (statement_list (_) @needed .)) (#set! filler ""))
(method_declaration result: (_) body: (block (statement_list (_) @needed .)) (#set! filler ""))
(func_literal result: (_) body: (block (statement_list (_) @needed .)) (#set! filler ""))
(function_declaration
  result: (_simple_type) body: (block (statement_list (return_statement (expression_list) @needed))))
(method_declaration
  result: (_simple_type) body: (block (statement_list (return_statement (expression_list) @needed))))
(function_declaration
  result: (parameter_list (parameter_declaration !name))
  body: (block (statement_list (return_statement (expression_list) @needed))))
(method_declaration
  result: (parameter_list (parameter_declaration !name))
  body: (block (statement_list (return_statement (expression_list) @needed))))
; What returns a value has a result.
(function_declaration result: (_simple_type) @needed body: (block (statement_list (return_statement (expression_list)))))
(method_declaration result: (_simple_type) @needed body: (block (statement_list (return_statement (expression_list)))))
(func_literal result: (_simple_type) @needed body: (block (statement_list (return_statement (expression_list)))))
(if_statement consequence: (_) @body)
(if_statement alternative: (_) @body)
(for_statement body: (_) @body)
(labeled_statement (_statement) @body)
(statement_list (block (statement_list) @body))

(_expression) @expression
((_simple_type) @type (#set! filler "int"))
; A literal in braces is not one of a plain type.
(composite_literal type: (_) @type (#set! filler ""))
; A receiver has a type of this package.
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @type (#set! filler ""))))
(method_declaration receiver: (parameter_list (parameter_declaration type: (pointer_type (_) @type (#set! filler "")))))
[
  (int_literal) (float_literal) (imaginary_literal) (rune_literal) (interpreted_string_literal)
  (raw_string_literal) (true) (false) (nil) (iota)
] @literal
[(identifier) (field_identifier) (type_identifier) (package_identifier) (label_name)] @name

(function_declaration name: (_) @function_name parameters: (_) @parameters) @function
(method_declaration name: (_) @function_name parameters: (_) @parameters) @function
(call_expression
  function: [(identifier) (selector_expression) (index_expression)] arguments: (argument_list) @arguments) @call
(return_statement (expression_list . (_) @returned .))
(var_spec name: (identifier) @variable_name value: (expression_list . (_) @value .)) @variable
(const_spec name: (identifier) @variable_name value: (expression_list . (_) @value .)) @variable
(short_var_declaration
  left: (expression_list . (identifier) @variable_name .)
  right: (expression_list . (_) @value .)) @variable
(assignment_statement
  left: (expression_list . (_) @target .) right: (expression_list . (_) @value .))
(short_var_declaration right: (expression_list . (_) @value .))
(assignment_statement right: (expression_list . (_) @value .))
(type_alias name: (_) @alias_name type: (_) @aliased) @alias
(type_spec name: (_) @alias_name !type_parameters type: (_) @aliased) @alias
[
  (call_expression) (selector_expression) (index_expression) (slice_expression)
  (type_assertion_expression) (parenthesized_expression)
] @access
(unary_expression operator: ["*" "&"]) @access
(unary_expression operator: "!") @negation
(comment) @comment
(raw_string_literal) @verbatim

(type_parameter_list) @type_parameters
(type_arguments) @type_arguments
(struct_type (field_declaration_list) @members)
(keyed_element key: (literal_element (identifier))) @field_value

(package_clause) @needed
(method_declaration receiver: (parameter_list (parameter_declaration) @needed))

[
  (_simple_statement) (return_statement) (go_statement) (defer_statement) (if_statement) (for_statement)
  (expression_switch_statement) (type_switch_statement) (select_statement) (labeled_statement)
  (fallthrough_statement) (break_statement) (continue_statement) (goto_statement) (block) (empty_statement)
] @inner

(_ "," @separator)
