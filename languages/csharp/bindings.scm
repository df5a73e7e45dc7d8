; The definitions, scopes and uses of names in C#. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

(compilation_unit) @hoisted
(namespace_declaration (declaration_list) @scope @hoisted)
(class_declaration body: (_) @scope.members @hoisted)
(struct_declaration body: (_) @scope.members @hoisted)
(interface_declaration body: (_) @scope.members @hoisted)
(record_declaration body: (_) @scope.members @hoisted)
(enum_member_declaration_list) @scope.members @hoisted
[
  (block) (for_statement) (using_statement) (catch_clause) (method_declaration)
  (constructor_declaration) (local_function_statement) (lambda_expression) (switch_section)
  (class_declaration) (struct_declaration) (interface_declaration) (record_declaration)
] @scope

(class_declaration name: (identifier) @definition) @type
(struct_declaration name: (identifier) @definition) @type
(interface_declaration name: (identifier) @definition) @type
(record_declaration name: (identifier) @definition) @type
(enum_declaration name: (identifier) @definition) @type
(delegate_declaration name: (identifier) @definition) @type
(type_parameter name: (identifier) @definition) @type
(enum_member_declaration name: (identifier) @definition) @constant
(method_declaration name: (identifier) @definition) @function
(local_function_statement name: (identifier) @definition) @function
(lambda_expression) @function
(property_declaration name: (identifier) @definition) @variable
(variable_declaration) @variable
(variable_declarator name: (identifier) @definition)
(parameter name: (identifier) @definition) @parameter
(lambda_expression parameters: (implicit_parameter) @definition.parameter)
(foreach_statement left: (identifier) @definition) @scope.own @variable
(foreach_statement right: (_) @before)
(catch_declaration name: (identifier) @definition) @variable
(declaration_pattern name: (identifier) @definition) @variable
(labeled_statement . (identifier) @definition.label)
(goto_statement (identifier) @use.label)

; What is reached through an object or a type may be a member of any type.
(member_access_expression name: (identifier) @use.field)
(initializer_expression (assignment_expression left: (identifier) @use.field))
(argument name: (identifier) @keyword)

(invocation_expression function: (identifier) @callee)
(invocation_expression function: (member_access_expression name: (identifier) @callee))
(object_creation_expression type: [(identifier) @callee (generic_name (identifier) @callee)])
(constructor_declaration name: (identifier) @constructor)
(base_list [(identifier) @base (generic_name (identifier) @base)])
(constructor_initializer "base" @constructing.base)
(constructor_initializer "this" @constructing.own)
