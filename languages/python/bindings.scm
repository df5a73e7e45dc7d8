; The definitions, scopes and uses of names in Python. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

[
  (function_definition) (lambda) (list_comprehension) (set_comprehension)
  (dictionary_comprehension) (generator_expression)
] @scope @hoisted
(module) @hoisted
(class_definition) @scope.class @hoisted

(function_definition name: (identifier) @definition) @function
(lambda) @function
(class_definition name: (identifier) @definition) @type
(type_alias_statement left: (type (identifier) @definition)) @type

(parameters (identifier) @definition @parameter)
(lambda_parameters (identifier) @definition @parameter)
(default_parameter name: (identifier) @definition) @parameter
(typed_default_parameter name: (identifier) @definition) @parameter
(default_parameter value: (_) @before)
(typed_default_parameter value: (_) @before)
(typed_parameter . (identifier) @definition) @parameter
(list_splat_pattern (identifier) @definition)
(dictionary_splat_pattern (identifier) @definition)
(parameters [(list_splat_pattern) (dictionary_splat_pattern)] @parameter)
(lambda_parameters [(list_splat_pattern) (dictionary_splat_pattern)] @parameter)
(typed_parameter [(list_splat_pattern) (dictionary_splat_pattern)]) @parameter

[(assignment) (augmented_assignment) (named_expression) (for_statement) (for_in_clause)] @variable
[(with_item) (except_clause) (case_clause)] @variable
(assignment left: (identifier) @definition)
(assignment left: (pattern_list (identifier) @definition))
(assignment left: (tuple_pattern (identifier) @definition))
(assignment left: (list_pattern (identifier) @definition))
(named_expression name: (identifier) @definition)
(for_statement left: (identifier) @definition)
(for_statement left: (pattern_list (identifier) @definition))
(for_statement left: (tuple_pattern (identifier) @definition))
(for_in_clause left: (identifier) @definition)
(for_in_clause left: (pattern_list (identifier) @definition))
(for_in_clause left: (tuple_pattern (identifier) @definition))
(as_pattern_target (identifier) @definition)

[(import_statement) (import_from_statement) (future_import_statement)] @import
(import_statement name: (dotted_name . (identifier) @definition))
(import_from_statement name: (dotted_name . (identifier) @definition))
(aliased_import alias: (identifier) @definition)

(assignment left: (attribute attribute: (identifier) @definition.field))
(attribute attribute: (identifier) @use.field)

(keyword_argument name: (identifier) @keyword)
((function_definition name: (identifier) @constructor) (#any-of? @constructor "__init__" "__new__"))
(global_statement (identifier) @global)
(nonlocal_statement (identifier) @outer)

(call function: (identifier) @callee)
(call function: (attribute attribute: (identifier) @callee))
(class_definition superclasses: (argument_list (identifier) @base))
((call function: (attribute object: (call function: (identifier) @_super) attribute: (identifier) @constructing.base))
  (#eq? @_super "super") (#any-of? @constructing.base "__init__" "__new__"))
