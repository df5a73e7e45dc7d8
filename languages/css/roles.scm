; The roles of CSS's nodes. Captures are roles.

[(stylesheet) (block) (keyframe_block_list)] @block
[
  (rule_set) (declaration) (at_rule) (charset_statement) (import_statement) (keyframes_statement)
  (media_statement) (namespace_statement) (supports_statement) (scope_statement) (keyframe_block)
] @statement
(media_statement (block (_) @body))
(supports_statement (block (_) @body))

[
  (integer_value) (float_value) (color_value) (string_value) (plain_value) (call_expression)
  (binary_expression) (parenthesized_value)
] @expression
[(integer_value) (float_value) (color_value) (string_value)] @literal
[(class_name) (id_name) (tag_name) (property_name)] @name
(comment) @comment

(_ "," @separator)
