; The definitions, scopes and uses of names in Java. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

(program) @hoisted
[(class_body) (interface_body) (enum_body) (annotation_type_body)] @scope.members @hoisted
[
  (block) (constructor_body) (for_statement) (try_with_resources_statement)
  (catch_clause) (method_declaration) (constructor_declaration) (lambda_expression) (switch_block)
  (class_declaration) (interface_declaration) (record_declaration)
] @scope

(class_declaration name: (identifier) @definition) @type
(interface_declaration name: (identifier) @definition) @type
(enum_declaration name: (identifier) @definition) @type
(record_declaration name: (identifier) @definition) @type
(annotation_type_declaration name: (identifier) @definition) @type
(type_parameter (type_identifier) @definition) @type
(enum_constant name: (identifier) @definition) @constant
(method_declaration name: (identifier) @definition) @function
(lambda_expression) @function
(field_declaration) @variable
(local_variable_declaration) @variable
(constant_declaration) @variable
(variable_declarator name: (identifier) @definition)
(formal_parameter name: (identifier) @definition) @parameter
(spread_parameter (variable_declarator name: (identifier) @definition.parameter))
(catch_formal_parameter name: (identifier) @definition) @variable
(resource name: (identifier) @definition) @variable
(enhanced_for_statement name: (identifier) @definition) @scope.own @variable
(enhanced_for_statement value: (_) @before)
(lambda_expression parameters: (identifier) @definition.parameter)
(inferred_parameters (identifier) @definition.parameter)
; `import a.b.*;` makes all names of a package known, but not that of the package.
(import_declaration (scoped_identifier name: (identifier) @definition) .) @import
(labeled_statement . (identifier) @definition.label)
(break_statement (identifier) @use.label)
(continue_statement (identifier) @use.label)

; What is reached through an object may be a member of any class.
(method_invocation object: (_) name: (identifier) @use.field)
(field_access field: (identifier) @use.field)
(method_reference (identifier) @use.field .)

(method_invocation name: (identifier) @callee)
(object_creation_expression type: [(type_identifier) @callee (generic_type (type_identifier) @callee)])
(constructor_declaration name: (identifier) @constructor)
(superclass [(type_identifier) @base (generic_type (type_identifier) @base)])
(explicit_constructor_invocation constructor: (super) @constructing.base)
(explicit_constructor_invocation constructor: (this) @constructing.own)
(enum_constant name: (_) @constructing.own arguments: (_))
