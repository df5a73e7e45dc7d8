; The definitions, scopes and uses of names in Go. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

(source_file) @hoisted
[
  (block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement)
  (select_statement) (expression_case) (default_case) (type_case) (communication_case)
  (function_declaration) (method_declaration) (func_literal)
] @scope

(function_declaration name: (identifier) @definition) @function
(method_declaration name: (field_identifier) @definition.field) @function
(func_literal) @function
(parameter_declaration name: (identifier) @definition) @parameter
(variadic_parameter_declaration name: (identifier) @definition) @parameter
(type_parameter_declaration name: (identifier) @definition) @parameter

; The receiver of a method names the type parameters of its type once more.
(method_declaration receiver: (parameter_list (parameter_declaration type: (pointer_type
  (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @definition.type)))))))
(method_declaration receiver: (parameter_list (parameter_declaration type:
  (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @definition.type))))))
(type_spec name: (type_identifier) @definition) @type
(type_alias name: (type_identifier) @definition) @type
(field_declaration name: (field_identifier) @definition) @field
(method_elem name: (field_identifier) @definition) @field
(const_spec name: (identifier) @definition) @variable
(var_spec name: (identifier) @definition) @variable
(short_var_declaration left: (expression_list (identifier) @definition)) @variable
(type_switch_statement alias: (expression_list (identifier) @definition) @variable)
(range_clause left: (expression_list (identifier) @definition) ":=") @variable
(receive_statement left: (expression_list (identifier) @definition) ":=") @variable
(var_spec value: (_) @before)
(short_var_declaration right: (_) @before)
(range_clause right: (_) @before)
(receive_statement right: (_) @before)
(type_switch_statement value: (_) @before)
(import_spec name: (package_identifier) @definition) @import
(import_spec !name path: (interpreted_string_literal (interpreted_string_literal_content) @definition.import @path)) @import

; The name of the package is not that of a definition with the same spelling, such as a type in it.
(package_clause (package_identifier) @use.label)

(labeled_statement label: (label_name) @definition) @label
(break_statement (label_name) @use.label)
(continue_statement (label_name) @use.label)
(goto_statement (label_name) @use.label)
(selector_expression field: (field_identifier) @use.field)
(keyed_element key: (literal_element (identifier) @use.field))

(call_expression function: (identifier) @callee)
(call_expression function: (index_expression operand: (identifier) @callee))
(call_expression function: (selector_expression field: (field_identifier) @callee))
