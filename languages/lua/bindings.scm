; The definitions, scopes and uses of names in Lua. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

[(block) (function_declaration) (function_definition) (for_statement)] @scope

(function_declaration name: (identifier) @definition) @function
(function_declaration name: (dot_index_expression field: (identifier) @definition.field)) @function
(function_declaration name: (method_index_expression method: (identifier) @definition.field)) @function
(function_definition) @function
(parameters name: (identifier) @definition @parameter)

(variable_declaration (assignment_statement (variable_list (identifier) @definition))) @variable
(variable_declaration (variable_list (identifier) @definition)) @variable
(chunk (assignment_statement (variable_list (identifier) @definition)) @variable)
(for_numeric_clause name: (identifier) @definition) @variable
(for_generic_clause (variable_list (identifier) @definition)) @variable
(variable_declaration (assignment_statement (expression_list) @before))
(for_numeric_clause start: (_) @before)
(for_numeric_clause end: (_) @before)
(for_generic_clause (expression_list) @before)
(field name: (identifier) @definition) @field

(label_statement (identifier) @definition) @label
(goto_statement (identifier) @use.label)
(dot_index_expression field: (identifier) @use.field)
(method_index_expression method: (identifier) @use.field)

(function_call name: (identifier) @callee)
(function_call name: (dot_index_expression field: (identifier) @callee))
(function_call name: (method_index_expression method: (identifier) @callee))
