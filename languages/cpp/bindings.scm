; The definitions, scopes and uses of names in C++, beside those in ../c/shared_bindings.scm. All namespaces
; count as one: the overloads of a name in all of them are one group, and a call may reach any of them.

[
  (for_range_loop) (if_statement) (while_statement) (switch_statement) (catch_clause)
  (lambda_expression) (requires_expression)
] @scope
(field_declaration_list) @scope.members @hoisted

[(lambda_expression) (requires_expression) (catch_clause)] @function
[(template_declaration) (alias_declaration) (concept_definition)] @type
[(class_specifier) (struct_specifier) (union_specifier) (enum_specifier)] @type
(namespace_definition) @namespace
(namespace_alias_definition) @namespace
[(for_range_loop) (lambda_capture_initializer)] @variable
[
  (optional_parameter_declaration) (variadic_parameter_declaration) (type_parameter_declaration)
  (optional_type_parameter_declaration) (variadic_type_parameter_declaration)
  (template_template_parameter_declaration)
] @parameter

(class_specifier name: (type_identifier) @definition body: (_))
(struct_specifier name: (type_identifier) @definition body: (_))
(union_specifier name: (type_identifier) @definition body: (_))
(enum_specifier name: (type_identifier) @definition body: (_))
(translation_unit [
  (class_specifier name: (type_identifier) @definition)
  (struct_specifier name: (type_identifier) @definition)
])
(declaration_list [
  (class_specifier name: (type_identifier) @definition)
  (struct_specifier name: (type_identifier) @definition)
])
(template_declaration [
  (class_specifier name: (type_identifier) @definition)
  (struct_specifier name: (type_identifier) @definition)
])
(class_specifier name: (type_identifier) @introduction !body)
(struct_specifier name: (type_identifier) @introduction !body)
(union_specifier name: (type_identifier) @introduction !body)
(alias_declaration name: (_) @definition)
(concept_definition name: (_) @definition)
(namespace_definition name: (namespace_identifier) @definition)
(namespace_alias_definition name: (_) @definition)
(reference_declarator [(identifier) (field_identifier) (type_identifier)] @definition)
(variadic_declarator (identifier) @definition)
(structured_binding_declarator (identifier) @definition)
(lambda_capture_initializer left: (identifier) @definition)
(type_parameter_declaration (type_identifier) @definition)
(variadic_type_parameter_declaration (type_identifier) @definition)
(optional_type_parameter_declaration name: (_) @definition)
(function_declarator declarator: (field_identifier) @definition.function)

; A member that is defined outside its class.
(function_declarator declarator: (qualified_identifier name: (identifier) @definition.function @member))
(function_declarator declarator: (qualified_identifier
  name: (qualified_identifier name: (identifier) @definition.function @member)))
(function_declarator declarator: (qualified_identifier
  name: (qualified_identifier name: (qualified_identifier name: (identifier) @definition.function @member))))
(init_declarator declarator: (qualified_identifier name: (identifier) @definition.variable @member))

; A constructor has the name of its class.
(field_declaration_list (declaration
  declarator: (function_declarator declarator: (identifier) @mention)))
(field_declaration_list (function_definition
  declarator: (function_declarator declarator: (identifier) @mention)))
(field_declaration_list (template_declaration (declaration
  !type declarator: (function_declarator declarator: (identifier) @mention))))
(field_declaration_list (template_declaration (function_definition
  !type declarator: (function_declarator declarator: (identifier) @mention))))
((qualified_identifier scope: (namespace_identifier) @_class name: (identifier) @mention)
  (#eq? @_class @mention))
((qualified_identifier
  scope: (template_type name: (_) @_class) name: (identifier) @mention)
  (#eq? @_class @mention))
(destructor_name (identifier) @mention)

(qualified_identifier name: [(identifier) (type_identifier)] @use.qualified)
(qualified_identifier name: (template_function name: (identifier) @use.qualified))
(qualified_identifier name: (template_type name: (type_identifier) @use.qualified))
(using_declaration (identifier) @use.qualified)
(field_expression field: (template_method name: (field_identifier) @use.field))
(field_initializer (field_identifier) @use.field)

(template_type name: (type_identifier) @callee)
(call_expression function: (field_expression field: (field_identifier) @callee))
(call_expression function: (qualified_identifier name: (identifier) @callee))
(call_expression function: (template_function name: (identifier) @callee))
