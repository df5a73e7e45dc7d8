; The definitions, scopes and uses of names in Rust. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs). Names in macros are uses.

(source_file) @hoisted
[
  (block) (declaration_list) (function_item) (function_signature_item) (closure_expression)
  (if_expression) (while_expression) (match_arm) (impl_item) (trait_item) (struct_item) (enum_item) (type_item)
  (higher_ranked_trait_bound)
] @scope @hoisted.function
; What is reached through a value or a type may be a member of any type.
(impl_item body: (declaration_list) @scope.class)
(trait_item body: (declaration_list) @scope.class)
(enum_variant_list) @scope.class
(scoped_identifier path: (_) name: (identifier) @use.qualified)
(scoped_type_identifier path: (_) name: (type_identifier) @use.qualified)
; But a path tells of which enumeration a variant is, and of which type a function without an object.
(enum_item name: (type_identifier) @owner)
(enum_variant name: (identifier) @owned)
(impl_item type: (type_identifier) @owner)
(impl_item type: (generic_type type: (type_identifier) @owner))
(impl_item !trait body: (declaration_list (function_item name: (identifier) @owned parameters: (parameters . (parameter)))))
(impl_item !trait body: (declaration_list
  (function_item name: (identifier) @owned parameters: (parameters) @_list (#eq? @_list "()"))))

(function_item name: (identifier) @definition) @function
(function_signature_item name: (identifier) @definition) @function
(closure_expression) @function
(mod_item name: (identifier) @definition) @namespace
(struct_item name: (type_identifier) @definition) @type
(union_item name: (type_identifier) @definition) @type
(enum_item name: (type_identifier) @definition) @type
(trait_item name: (type_identifier) @definition) @type
(type_item name: (type_identifier) @definition) @type
(associated_type name: (type_identifier) @definition) @type
(type_parameter name: (type_identifier) @definition) @type
(const_parameter name: (identifier) @definition) @constant
(enum_variant name: (identifier) @definition) @constant
(const_item name: (identifier) @definition) @constant
(static_item name: (identifier) @definition) @variable
(macro_definition name: (identifier) @definition) @macro
; A lifetime is known in the item that it is a parameter of.
(lifetime_parameter (lifetime (identifier) @definition)) @label
[(impl_item) (higher_ranked_trait_bound)] @type
(lifetime (identifier) @use.label)

(field_declaration name: (field_identifier) @definition) @field
(parameter pattern: (identifier) @definition) @parameter
(closure_parameters (identifier) @definition.parameter)
(parameter pattern: (tuple_pattern)) @parameter
(closure_parameters (tuple_pattern) @parameter)
(let_declaration pattern: (identifier) @definition) @variable
(let_declaration pattern: (tuple_pattern)) @variable
(let_declaration pattern: (mut_pattern)) @variable
(let_declaration pattern: (struct_pattern)) @variable
(parameter pattern: (struct_pattern)) @parameter
(for_expression pattern: (identifier) @definition)
(for_expression) @scope.own @variable
(let_declaration value: (_) @before)
(let_condition value: (_) @before)
(for_expression value: (_) @before)
(tuple_pattern (identifier) @definition)
(mut_pattern (identifier) @definition)
(field_pattern name: (shorthand_field_identifier) @definition)
(field_pattern name: (field_identifier) @use.field)
(field_pattern pattern: (identifier) @definition)
(match_pattern) @variable
(let_condition) @variable
(tuple_struct_pattern type: (_) (identifier) @definition.variable)
(use_declaration argument: (identifier) @definition) @import
(use_declaration) @import
(use_declaration argument: (scoped_identifier name: (identifier) @definition))
(use_list (identifier) @definition)
(use_list (scoped_identifier name: (identifier) @definition))
(use_as_clause alias: (identifier) @definition)
(scoped_use_list path: (identifier) @definition list: (use_list . (self) .))
(scoped_use_list path: (scoped_identifier name: (identifier) @definition) list: (use_list . (self) .))

(field_expression field: (field_identifier) @use.field)
(field_initializer field: (field_identifier) @use.field)

(call_expression function: (identifier) @callee)
(call_expression function: (field_expression field: (field_identifier) @callee))
(call_expression function: (scoped_identifier name: (identifier) @callee))
(call_expression function: (generic_function function: (identifier) @callee))
(call_expression function: (generic_function function: (field_expression field: (field_identifier) @callee)))
(call_expression function: (generic_function function: (scoped_identifier name: (identifier) @callee)))
