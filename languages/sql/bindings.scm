; The definitions, scopes and uses of names in SQL. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

(program) @hoisted
(statement) @scope @hoisted

(create_table (object_reference name: (identifier) @definition)) @type
(column_definition name: (identifier) @definition) @field
(cte (identifier) @definition) @type
(relation alias: (identifier) @definition) @variable
(term alias: (identifier) @definition) @variable
(field name: (identifier) @use.field)
