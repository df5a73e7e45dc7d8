; The definitions of names in JavaScript, beside those in shared_bindings.scm.

(field_definition property: (property_identifier) @definition) @field
(class_declaration name: (identifier) @definition) @type
(class_heritage (identifier) @base)
(formal_parameters (identifier) @definition @parameter)
(formal_parameters [(assignment_pattern) (rest_pattern) (object_pattern) (array_pattern)] @parameter)
