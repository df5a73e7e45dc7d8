; The roles of SQL's nodes. Captures are roles.

[(program) (block) (transaction)] @block
[(statement) (block) (transaction)] @statement
[(term) (binary_expression) (unary_expression) (field) (case) (cast) (invocation) (subquery) (list)] @expression
[(between_expression) (exists) (parenthesized_expression) (literal) (array) (interval) (parameter)] @expression
(literal) @literal
(identifier) @name
[(int) (bigint) (smallint) (char) (varchar) (decimal) (numeric) (float) (double) (timestamp) (time)] @type
(set_operation (select) @body)
(assignment left: (_) @target right: (_) @value)
(parenthesized_expression) @access
(unary_expression operator: (keyword_not)) @negation
[(comment) (marginalia)] @comment
(literal) @verbatim

(_ "," @separator)
(_ ";" @terminator)
