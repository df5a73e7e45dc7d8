; The definitions, scopes and uses of names in C. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

[(compound_statement) (for_statement) (function_definition)] @scope

(declaration) @variable
(function_definition) @function
(parameter_declaration) @parameter
(field_declaration) @field
(type_definition) @type
(enumerator name: (identifier) @definition) @constant
(labeled_statement label: (statement_identifier) @definition) @label
(preproc_def name: (identifier) @definition) @macro
(preproc_function_def name: (identifier) @definition) @macro
[(struct_specifier) (union_specifier) (enum_specifier)] @tag

(_ declarator: [(identifier) (field_identifier) (type_identifier)] @definition)
(parenthesized_declarator [(identifier) (field_identifier) (type_identifier)] @definition)
(function_declarator declarator: (identifier) @definition.function)
(struct_specifier name: (type_identifier) @definition body: (_))
(union_specifier name: (type_identifier) @definition body: (_))
(enum_specifier name: (type_identifier) @definition body: (_))
; Old C: parameters without types, variables without types.
(parameter_list (identifier) @definition @parameter)
(function_definition
  declarator: (function_declarator
    parameters: (parameter_list
      (parameter_declaration type: (type_identifier) @definition !declarator))))
(function_definition
  (declaration declarator: (identifier) @definition.parameter))
(translation_unit (expression_statement (identifier) @definition) @variable)

(struct_specifier name: (type_identifier) @use.tag)
(union_specifier name: (type_identifier) @use.tag)
(enum_specifier name: (type_identifier) @use.tag)
(field_expression field: (field_identifier) @use.field)
(field_designator (field_identifier) @use.field)
(initializer_pair designator: (field_identifier) @use.field)
(goto_statement label: (statement_identifier) @use.label)

(call_expression function: (identifier) @callee)
