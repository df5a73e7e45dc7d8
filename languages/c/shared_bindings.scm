; The definitions, scopes and uses of names in both C and C++. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

[(compound_statement) (for_statement) (function_definition)] @scope

(declaration) @variable
(function_definition) @function
(parameter_declaration) @parameter
(field_declaration) @field
(type_definition) @type
(enumerator name: (identifier) @definition) @constant
(labeled_statement label: (statement_identifier) @definition) @label
(preproc_def name: (identifier) @definition) @macro @scope
(preproc_function_def name: (identifier) @definition) @macro @scope
(preproc_params (identifier) @definition @parameter)

; The parser takes the names of standard types, such as `size_t`, for words of the language.
(_ declarator: [(identifier) (field_identifier) (type_identifier) (primitive_type)] @definition)
(parenthesized_declarator [(identifier) (field_identifier) (type_identifier) (primitive_type)] @definition)
(function_declarator declarator: (identifier) @definition.function)

(field_expression field: (field_identifier) @use.field)
(field_designator (field_identifier) @use.field)
(initializer_pair designator: (field_identifier) @use.field)
(goto_statement label: (statement_identifier) @use.label)

(call_expression function: (identifier) @callee)
