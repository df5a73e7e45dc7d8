; The roles of Rust's nodes. Captures are roles; `filler` is the shortest text that may replace the captured node if it
; cannot be absent.

[(source_file) (declaration_list)] @block
((block) @block (#set! filler "{}"))

[
  (const_item) (macro_invocation) (macro_definition) (empty_statement) (attribute_item)
  (inner_attribute_item) (mod_item) (foreign_mod_item) (struct_item) (union_item) (enum_item)
  (type_item) (function_item) (function_signature_item) (impl_item) (trait_item) (associated_type)
  (let_declaration) (use_declaration) (extern_crate_declaration) (static_item) (expression_statement)
] @statement

[(attribute_item) (line_comment (outer_doc_comment_marker)) (block_comment (outer_doc_comment_marker))] @attribute
(attribute arguments: (token_tree) @needed)
((attribute (identifier) @_name arguments: (token_tree (_) @needed)) (#any-of? @_name "cfg" "cfg_attr"))

(if_expression consequence: (block) @body)
(else_clause (_) @body)
(for_expression body: (block) @body)
(while_expression body: (block) @body)
(loop_expression body: (block) @body)
(function_item body: (block) @body (#set! stub "{}"))
(function_item return_type: (_) body: (block) @body (#set! stub "{loop{}}"))
(impl_item trait: (_) body: (declaration_list [(function_item) (type_item) (const_item)] @override))
(unsafe_block (block) @body)
(async_block (block) @body)
(mod_item body: (declaration_list) @body (#set! filler "{}"))
(impl_item body: (declaration_list) @body (#set! filler "{}"))
(trait_item body: (declaration_list) @body (#set! filler "{}"))

[
  (array_expression) (assignment_expression) (async_block) (await_expression) (binary_expression)
  (break_expression) (call_expression) (closure_expression) (compound_assignment_expr)
  (const_block) (continue_expression) (field_expression) (for_expression) (generic_function)
  (identifier) (if_expression) (index_expression) (loop_expression) (match_expression)
  (parenthesized_expression) (range_expression) (reference_expression) (return_expression)
  (scoped_identifier) (self) (struct_expression) (try_block) (try_expression) (tuple_expression)
  (type_cast_expression) (unary_expression) (unit_expression) (unsafe_block) (while_expression)
  (yield_expression) (boolean_literal) (char_literal) (float_literal) (integer_literal)
  (raw_string_literal) (string_literal)
] @expression
[
  (boolean_literal) (char_literal) (float_literal) (integer_literal) (raw_string_literal)
  (string_literal)
] @literal
[
  (identifier) (field_identifier) (type_identifier) (shorthand_field_identifier)
] @name

([
  (array_type) (bounded_type) (dynamic_type) (function_type) (generic_type) (never_type)
  (pointer_type) (primitive_type) (reference_type) (scoped_type_identifier) (tuple_type)
  (type_identifier) (unit_type) (abstract_type)
] @type (#set! filler "()"))
; A trait is no type, and neither is what has type arguments without them.
(trait_bounds (_) @constraint (#set! filler ""))
(bounded_type (_) @type (#set! filler ""))
(dynamic_type trait: (_) @type (#set! filler ""))
(abstract_type trait: (_) @type (#set! filler ""))
(impl_item trait: (_) @type (#set! filler ""))
(generic_type type: (_) @type (#set! filler ""))

(type_item name: (type_identifier) @alias_name type: (_) @aliased) @alias
(function_item name: (identifier) @function_name parameters: (_) @parameters) @function
(function_signature_item name: (identifier) @function_name parameters: (_) @parameters) @function
(call_expression
  function: [(identifier) (field_expression) (scoped_identifier) (generic_function)] arguments: (_) @arguments) @call
(return_expression (_) @returned)
(function_item body: (block (_expression) @returned))
(let_declaration pattern: (identifier) @variable_name value: (_) @value) @variable
(const_item name: (identifier) @variable_name value: (_) @value) @variable
(static_item name: (identifier) @variable_name value: (_) @value) @variable
(assignment_expression left: (identifier) @variable_name right: (_) @value) @variable
(assignment_expression left: (_) @target right: (_) @value)
(compound_assignment_expr left: (_) @target right: (_) @value)
[
  (call_expression) (field_expression) (index_expression) (parenthesized_expression)
  (try_expression) (await_expression)
] @access
(unary_expression "*") @access
(unary_expression "!") @negation
[(line_comment) (block_comment)] @comment
[(string_literal) (raw_string_literal)] @verbatim

; Where a lifetime cannot be left out, this one may stand.
((lifetime (identifier) @name) (#set! filler "static"))
(type_parameters) @type_parameters
(type_arguments) @type_arguments
(struct_item body: (field_declaration_list) @members)
(enum_item body: (_) @members)

[(field_initializer) (shorthand_field_initializer) (field_pattern)] @field_value
(shorthand_field_initializer (identifier) @shorthand)
(shorthand_field_identifier) @shorthand

(match_arm pattern: (_) @pattern)
(or_pattern (_) @pattern)
(or_pattern "|" @separator)

(_ "," @separator)
(where_clause "," @separator)
(trait_bounds "+" @separator)
(bounded_type "+" @separator)

[
  (block) (expression_statement) (let_declaration) (if_expression) (match_expression) (loop_expression)
  (while_expression) (for_expression) (unsafe_block) (return_expression)
] @inner
