; The roles of the nodes that C and C++ share. Captures are roles; `filler` is the shortest text that may replace the captured node
; if it cannot be absent.

[
  (translation_unit) (compound_statement) (declaration_list) (field_declaration_list)
] @block

((statement) @statement (#set! filler ";"))
[
  (linkage_specification) (preproc_call) (preproc_def) (preproc_function_def) (preproc_if)
  (preproc_ifdef) (preproc_include)
] @statement
(translation_unit (type_specifier) @statement)

(if_statement consequence: (_) @body)
(else_clause (statement) @body)
(for_statement body: (_) @body)
(while_statement body: (_) @body)
(do_statement body: (_) @body)
(switch_statement body: (_) @body)
(labeled_statement (statement) @body)
(function_definition body: (compound_statement) @body (#set! filler ";"))
(linkage_specification body: (_) @body)

(expression) @expression
[(number_literal) (string_literal) (char_literal) (true) (false) (null)] @literal
[(identifier) (field_identifier) (type_identifier) (statement_identifier)] @name
; The parser takes the names of standard types for words of the language.
((primitive_type) @name (#any-of? @name
   "bool" "size_t" "ssize_t" "ptrdiff_t" "intptr_t" "uintptr_t" "charptr_t" "nullptr_t" "max_align_t" "int8_t"
   "uint8_t" "char8_t" "int16_t" "uint16_t" "char16_t" "int32_t" "uint32_t" "char32_t" "int64_t" "uint64_t"
   "char64_t"))
((type_specifier) @type (#set! filler "int"))
(type_definition type: (_) @aliased . declarator: [(type_identifier) (primitive_type)] @alias_name .) @alias
(function_declarator declarator: (identifier) @function_name parameters: (_) @parameters) @function
(call_expression function: (identifier) arguments: (_) @arguments) @call
(return_statement (_) @returned)
(init_declarator declarator: (identifier) @variable_name value: (_) @value) @variable
(init_declarator
  declarator: (pointer_declarator declarator: (identifier) @variable_name) value: (_) @value) @variable
(init_declarator
  declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @variable_name))
  value: (_) @value) @variable
(assignment_expression left: (identifier) @variable_name right: (_) @value) @variable
(init_declarator value: (_) @value)
(assignment_expression left: (_) @target right: (_) @value)
[
  (call_expression) (field_expression) (subscript_expression) (pointer_expression)
  (update_expression) (parenthesized_expression)
] @access
; A macro is a variable that is replaced by its value.
(preproc_def name: (identifier) @variable_name value: (_) @value) @variable
; A macro with parameters is a function that returns its replacement.
(preproc_function_def
  name: (identifier) @function_name parameters: (_) @parameters value: (_) @returned) @function
(unary_expression operator: "!") @negation
(comment) @comment

(_ "," @separator)
(translation_unit ";" @terminator)
(compound_statement ";" @terminator)

; An expression at the level of the file declares a variable in old C.
[
  (compound_statement) (if_statement) (switch_statement) (case_statement) (do_statement)
  (while_statement) (for_statement) (return_statement) (break_statement) (continue_statement)
  (goto_statement) (labeled_statement)
] @inner
