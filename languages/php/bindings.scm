; The definitions, scopes and uses of names in PHP. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

(program) @hoisted.function
[(function_definition) (method_declaration) (anonymous_function) (arrow_function)] @scope @hoisted
[(declaration_list) (enum_declaration_list)] @scope.class @hoisted

(function_definition name: (name) @definition) @function
[(anonymous_function) (arrow_function)] @function
(method_declaration name: (name) @definition.field) @function
(class_declaration name: (name) @definition) @type
(interface_declaration name: (name) @definition) @type
(trait_declaration name: (name) @definition) @type
(enum_declaration name: (name) @definition) @type
(const_declaration) @constant
(const_element (name) @definition)
(enum_case name: (name) @definition) @constant
(simple_parameter name: (variable_name (name) @definition)) @parameter
(variadic_parameter name: (variable_name (name) @definition)) @parameter
(property_declaration) @field
(property_element name: (variable_name (name) @definition))

(assignment_expression left: (variable_name (name) @definition)) @variable
(foreach_statement) @variable
(foreach_statement "as" . (variable_name (name) @definition))
(foreach_statement "as" . (by_ref (variable_name (name) @definition)))
(foreach_statement (pair (variable_name (name) @definition)))
(catch_clause name: (variable_name (name) @definition)) @variable
(namespace_use_clause (qualified_name (name) @definition)) @import

(member_access_expression name: (name) @use.field)
(member_call_expression name: (name) @use.field)
(nullsafe_member_access_expression name: (name) @use.field)
(nullsafe_member_call_expression name: (name) @use.field)
(scoped_call_expression name: (name) @use.field)
(scoped_property_access_expression name: (variable_name (name) @use.field))
(class_constant_access_expression (_) (name) @use.field)
(function_call_expression function: (name) @callee)
(member_call_expression name: (name) @callee)
(nullsafe_member_call_expression name: (name) @callee)
(scoped_call_expression name: (name) @callee)
(object_creation_expression (name) @callee)
((method_declaration name: (name) @constructor) (#eq? @constructor "__construct"))
(base_clause (name) @base)
((scoped_call_expression scope: (relative_scope "parent") name: (name) @constructing.base)
  (#eq? @constructing.base "__construct"))
