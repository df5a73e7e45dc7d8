; The definitions, scopes and uses of names in both JavaScript and TypeScript. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

(program) @hoisted
[
  (statement_block) (for_statement) (for_in_statement) (catch_clause) (class_static_block)
  (function_declaration) (generator_function_declaration) (function_expression) (generator_function)
  (arrow_function) (method_definition)
] @scope @hoisted

(function_declaration name: (identifier) @definition) @function
(generator_function_declaration name: (identifier) @definition) @function
[(function_expression) (generator_function) (arrow_function)] @function
(method_definition name: (property_identifier) @definition.field) @function

(assignment_expression left: (member_expression property: (property_identifier) @definition.field)
  right: [(arrow_function) (function_expression)]) @function
(pair key: (property_identifier) @definition.field value: [(arrow_function) (function_expression)]) @function
(variable_declarator name: (identifier) @definition) @variable
(variable_declarator name: (object_pattern)) @variable
(variable_declarator name: (array_pattern)) @variable
(for_in_statement kind: _ left: (identifier) @definition) @variable
(for_in_statement kind: _ left: [(object_pattern) (array_pattern)] @variable)
(catch_clause parameter: (identifier) @definition) @variable
(array_pattern (identifier) @definition)
(rest_pattern (identifier) @definition)
(assignment_pattern left: (identifier) @definition)
(object_pattern (shorthand_property_identifier_pattern) @definition)
(pair_pattern value: (identifier) @definition)

(arrow_function parameter: (identifier) @definition @parameter)

(import_statement) @import
(import_clause (identifier) @definition)
(namespace_import (identifier) @definition)
(import_specifier name: (identifier) @definition !alias)
(import_specifier alias: (identifier) @definition)

(labeled_statement label: (statement_identifier) @definition) @label
(break_statement label: (statement_identifier) @use.label)
(continue_statement label: (statement_identifier) @use.label)
(member_expression property: (property_identifier) @use.field)
(pair key: (property_identifier) @use.field)
(pair_pattern key: (property_identifier) @use.field)

(call_expression function: (identifier) @callee)
(call_expression function: (member_expression property: (property_identifier) @callee))
(new_expression constructor: (identifier) @callee)
(new_expression constructor: (member_expression property: (property_identifier) @callee))
((method_definition name: (property_identifier) @constructor) (#eq? @constructor "constructor"))
(call_expression function: (super) @constructing.base)
