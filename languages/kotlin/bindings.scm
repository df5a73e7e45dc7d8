; The definitions, scopes and uses of names in Kotlin. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

(source_file) @hoisted
[(class_body) (enum_class_body)] @scope.members @hoisted
[
  (block) (function_declaration) (anonymous_function) (lambda_literal)
  (secondary_constructor) (class_declaration) (when_entry)
] @scope

(class_declaration name: (identifier) @definition) @type
(object_declaration name: (identifier) @definition) @type
(type_alias type: (identifier) @definition) @type
(type_parameter (identifier) @definition) @type
(enum_entry (identifier) @definition) @constant
(function_declaration name: (identifier) @definition) @function
[(anonymous_function) (lambda_literal)] @function
(property_declaration) @variable
(variable_declaration (identifier) @definition)
(parameter (identifier) @definition) @parameter
(class_parameter (identifier) @definition) @parameter
(lambda_parameters (variable_declaration (identifier) @definition.parameter))
(for_statement) @scope.own @variable
(catch_block (identifier) @definition) @scope.own @variable
(import (qualified_identifier (identifier) @definition .)) @import

(value_argument . (identifier) @keyword . (expression))
(navigation_expression (_) (identifier) @use.field .)
(call_expression . (identifier) @callee)
(call_expression . (navigation_expression (_) (identifier) @callee .))
