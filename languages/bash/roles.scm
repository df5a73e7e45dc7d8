; The roles of Bash's nodes. Captures are roles; `filler` is the shortest text that may replace the captured node if it
; cannot be absent.

(program) @block
((compound_statement) @block (#set! filler "{ :; }"))
((do_group) @block (#set! filler "do :; done"))
[(subshell) (else_clause) (elif_clause) (case_item)] @block

((_statement) @statement (#set! filler ":"))
[(case_item) (else_clause) (elif_clause)] @statement

(if_statement (_statement) @body)
(else_clause (_statement) @body)
(for_statement body: (do_group) @body)
(while_statement body: (do_group) @body)
(c_style_for_statement body: (_) @body)
(function_definition body: (_) @body)
(redirected_statement body: (_) @body)
(negated_command (_) @body)
(pipeline (_statement) @body)
(list (_statement) @body)

[(_expression) (_primary_expression)] @expression
[(number) (string) (raw_string) (ansi_c_string)] @literal
[(variable_name) (command_name)] @name

(function_definition name: (word) @function_name) @function
(variable_assignment name: (variable_name) @variable_name value: (_) @value) @variable
(comment) @comment
[(string) (raw_string) (heredoc_body) (ansi_c_string)] @verbatim

(_ ";" @terminator)
(case_item ";;" @terminator)
