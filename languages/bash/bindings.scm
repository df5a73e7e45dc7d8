; The definitions, scopes and uses of names in Bash. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

(program) @hoisted

(function_definition name: (word) @definition) @function
(variable_assignment name: (variable_name) @definition) @variable
(for_statement variable: (variable_name) @definition) @variable
