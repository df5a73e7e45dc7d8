; The roles of JavaScript's nodes, beside those in shared_roles.scm.

(field_definition) @statement
(jsx_text) @verbatim
(class_declaration body: (_) @members)
(field_definition property: (property_identifier) @variable_name value: (_) @value) @variable
