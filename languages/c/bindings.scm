; The definitions, scopes and uses of names in C, beside those in shared_bindings.scm.

[(struct_specifier) (union_specifier) (enum_specifier)] @tag

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

(struct_specifier name: (type_identifier) @use.tag @introduction)
(union_specifier name: (type_identifier) @use.tag @introduction)
(enum_specifier name: (type_identifier) @use.tag)
