; The definitions, scopes and uses of names in TypeScript, beside those in ../javascript/shared_bindings.scm.

[
  (class_declaration) (abstract_class_declaration) (interface_declaration) (type_alias_declaration)
  (enum_declaration)
] @type
(class_declaration name: (type_identifier) @definition)
(abstract_class_declaration name: (type_identifier) @definition)
(interface_declaration name: (type_identifier) @definition)
(type_alias_declaration name: (type_identifier) @definition)
(enum_declaration name: (identifier) @definition)
(enum_body name: (property_identifier) @definition @constant)
(enum_assignment name: (property_identifier) @definition) @constant
(extends_clause value: (identifier) @base)
(internal_module name: (identifier) @definition) @namespace

(function_signature name: (identifier) @definition) @function
(method_signature name: (property_identifier) @definition.field) @function
(abstract_method_signature name: (property_identifier) @definition.field) @function
(function_type) @function
(public_field_definition name: (property_identifier) @definition) @field
(property_signature name: (property_identifier) @definition) @field

(required_parameter pattern: (identifier) @definition) @parameter
(optional_parameter pattern: (identifier) @definition) @parameter
(type_parameter name: (type_identifier) @definition) @parameter
