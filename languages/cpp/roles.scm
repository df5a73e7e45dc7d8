; The roles of C++'s nodes, beside those in ../c/shared_roles.scm.

; What a template declares is no statement of its own: it goes with its template.
(translation_unit [
  (declaration) (function_definition) (type_definition) (template_declaration)
  (template_instantiation) (namespace_definition) (namespace_alias_definition)
  (using_declaration) (alias_declaration) (static_assert_declaration) (concept_definition)
] @statement)
(declaration_list [
  (declaration) (function_definition) (type_definition) (template_declaration)
  (template_instantiation) (namespace_definition) (namespace_alias_definition)
  (using_declaration) (alias_declaration) (static_assert_declaration) (concept_definition)
] @statement)
(compound_statement [
  (declaration) (function_definition) (type_definition) (template_declaration)
  (template_instantiation) (namespace_definition) (namespace_alias_definition)
  (using_declaration) (alias_declaration) (static_assert_declaration) (concept_definition)
] @statement)
(field_declaration_list [
  (field_declaration) (declaration) (function_definition) (type_definition)
  (template_declaration) (using_declaration) (alias_declaration) (static_assert_declaration)
  (friend_declaration)
] @statement)
(preproc_if [
  (field_declaration) (declaration) (function_definition) (type_definition)
  (template_declaration) (namespace_definition) (using_declaration) (alias_declaration)
] @statement)
(preproc_ifdef [
  (field_declaration) (declaration) (function_definition) (type_definition)
  (template_declaration) (namespace_definition) (using_declaration) (alias_declaration)
] @statement)
(preproc_else [
  (field_declaration) (declaration) (function_definition) (type_definition)
  (template_declaration) (namespace_definition) (using_declaration) (alias_declaration)
] @statement)
(translation_unit (compound_statement) @statement)
(case_statement (declaration) @statement)
(linkage_specification [(declaration) (function_definition)] @statement)
(for_statement initializer: (declaration) @statement)
(condition_clause value: (declaration) @statement)
(init_statement (declaration) @statement)
(declaration_list (type_specifier) @statement)
(requirement_seq [(simple_requirement) (compound_requirement) (type_requirement)] @statement)

(template_declaration [
  (template_declaration) (declaration) (function_definition) (alias_declaration) (concept_definition)
] @body)
(try_statement body: (_) @body)
(catch_clause body: (_) @body)
(for_range_loop body: (_) @body)
(namespace_definition body: (_) @body)

(lambda_expression body: (_) @block (#set! filler "{}"))
(function_definition (field_initializer_list) body: (_) @block (#set! filler "{}"))
; Outside of its class or name space, a function may be defined but not declared.
(function_definition declarator: (qualified_identifier) body: (_) @block (#set! filler "{}"))
(function_definition declarator: (_ declarator: (qualified_identifier)) body: (_) @block (#set! filler "{}"))
(function_definition declarator: (_ (_ declarator: (qualified_identifier))) body: (_) @block (#set! filler "{}"))
; A friend that is no template may have a constraint only where it has a body.
(function_definition declarator: (function_declarator (requires_clause)) body: (_) @block (#set! filler "{}"))
((requirement_seq) @block (#set! filler "{ true; }"))
((concept_definition (expression) @expression) (#set! filler "true"))
(namespace_identifier) @name
(raw_string_literal) @literal
(user_defined_literal) @literal
[(this) (auto)] @expression
(translation_unit (alias_declaration
  name: (_) @alias_name type: (type_descriptor type: (_) @aliased !declarator)) @alias)
(declaration_list (alias_declaration
  name: (_) @alias_name type: (type_descriptor type: (_) @aliased !declarator)) @alias)
(field_declaration_list (alias_declaration
  name: (_) @alias_name type: (type_descriptor type: (_) @aliased !declarator)) @alias)
(compound_statement (alias_declaration
  name: (_) @alias_name type: (type_descriptor type: (_) @aliased !declarator)) @alias)

(function_declarator declarator: (field_identifier) @function_name parameters: (_) @parameters) @function
(function_declarator
  declarator: (qualified_identifier name: (identifier) @function_name) parameters: (_) @parameters) @function
(function_declarator
  declarator: (qualified_identifier
    name: (qualified_identifier name: (identifier) @function_name)) parameters: (_) @parameters) @function
(function_declarator
  declarator: (qualified_identifier
    name: (qualified_identifier
      name: (qualified_identifier name: (identifier) @function_name))) parameters: (_) @parameters) @function
; A lambda in a variable.
(init_declarator
  declarator: (identifier) @function_name
  value: (lambda_expression
    declarator: (abstract_function_declarator parameters: (_) @parameters) body: (_) @body)) @function
; A class template is a function whose arguments stand between angle brackets, and so is the template of an
; alias or concept, which returns what it stands for.
(template_declaration
  parameters: (_) @parameters (class_specifier name: (type_identifier) @function_name)) @function
(template_declaration
  parameters: (_) @parameters (struct_specifier name: (type_identifier) @function_name)) @function
(template_declaration
  parameters: (_) @parameters (union_specifier name: (type_identifier) @function_name)) @function
(template_declaration
  parameters: (_) @parameters
  (alias_declaration name: (type_identifier) @function_name type: (_) @returned)) @function
(template_declaration
  parameters: (_) @parameters (concept_definition name: (identifier) @function_name (_) @returned)) @function
(template_type name: (_) arguments: (_) @arguments) @call
(class_specifier name: (_) body: (_) @members)
(struct_specifier name: (_) body: (_) @members)
(call_expression
  function: [(field_expression) (qualified_identifier) (template_function)] arguments: (_) @arguments) @call
(co_return_statement (_) @returned)
(for_range_loop right: (_) @value)

(declaration_list ";" @terminator)
(field_declaration_list ";" @terminator)
(field_declaration_list ":" @terminator)
(template_declaration ";" @terminator)

[
  (for_range_loop) (try_statement) (throw_statement) (co_return_statement) (co_yield_statement)
] @inner
