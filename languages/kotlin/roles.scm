; The roles of Kotlin's nodes. Captures are roles; `filler` is the shortest text that may replace the captured node if it
; cannot be absent.

[(source_file) (class_body) (enum_class_body)] @block
((block) @block (#set! filler "{}"))
((lambda_literal) @block (#set! filler "{}"))

(statement) @statement
(class_member_declaration) @statement
[(import) (package_header) (when_entry)] @statement

(while_statement [(block) (statement)] @body)
(do_while_statement [(block) (statement)] @body)
(for_statement (block) @body)
(if_expression (block) @body)
(try_expression (block) @body)
(catch_block (block) @body)
(when_entry [(block) (statement)] @body)
(function_body (block) @body (#set! stub "{TODO()}"))

(expression) @expression
[(number_literal) (float_literal) (character_literal) (string_literal) (multiline_string_literal)] @literal
((identifier) @literal (#any-of? @literal "true" "false" "null"))
(identifier) @name
((type) @type (#set! filler "Int"))

(function_declaration name: (_) @function_name (function_value_parameters) @parameters) @function
(call_expression . (identifier) (value_arguments) @arguments) @call
(call_expression . (navigation_expression) (value_arguments) @arguments) @call
((function_declaration (modifiers (member_modifier) @_mark)) @override (#any-of? @_mark "override"))
((property_declaration (modifiers (member_modifier) @_mark)) @override (#any-of? @_mark "override"))
(return_expression (_) @returned)
(function_body "=" (expression) @returned (#set! stub "TODO()"))
(property_declaration (variable_declaration (identifier) @variable_name) (expression) @value) @variable
(assignment left: (_) @target right: (_) @value)
[(call_expression) (navigation_expression) (index_expression) (parenthesized_expression) (as_expression)] @access
(unary_expression operator: "!") @negation
[(line_comment) (block_comment)] @comment
[(string_literal) (multiline_string_literal)] @verbatim

(type_parameters) @type_parameters
(type_arguments) @type_arguments
(class_declaration [(class_body) (enum_class_body)] @members)
(object_declaration (class_body) @members)
(value_argument . (identifier) . (expression)) @field_value
(type_alias type: (identifier) @alias_name (type) @aliased) @alias

(class_declaration ":" @separator)
(object_declaration ":" @separator)
(function_declaration ":" @separator)
(variable_declaration ":" @separator)
(_ "," @separator)
(_ ";" @separator)
