; The roles of TOML's nodes. Captures are roles.

(document) @block
[(table) (table_array_element)] @statement
(document (pair) @statement)
(table (pair) @statement)
(table_array_element (pair) @statement)

[
  (array) (inline_table) (boolean) (float) (integer) (string) (local_date) (local_date_time) (local_time)
  (offset_date_time)
] @expression
[
  (boolean) (float) (integer) (string) (local_date) (local_date_time) (local_time) (offset_date_time)
] @literal
[(bare_key) (quoted_key)] @name
(comment) @comment

(_ "," @separator)
