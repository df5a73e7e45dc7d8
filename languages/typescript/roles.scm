; The roles of TypeScript's nodes, beside those in ../javascript/shared_roles.scm.

[(interface_body) (enum_body) (object_type)] @block
[
  (public_field_definition) (method_signature) (abstract_method_signature) (property_signature)
  (call_signature) (construct_signature) (index_signature)
] @statement

((type) @type (#set! filler "any"))
[(type_identifier) (nested_identifier)] @name
(type_alias_declaration name: (_) @alias_name !type_parameters value: (_) @aliased) @alias
(type_annotation (_) @type (#set! filler "any"))

(function_signature name: (_) @function_name parameters: (_) @parameters) @function
(method_signature name: (_) @function_name parameters: (_) @parameters) @function
(abstract_method_signature name: (_) @function_name parameters: (_) @parameters) @function
(non_null_expression) @access

(interface_body ";" @terminator)
(object_type ";" @terminator)

(type_parameters) @type_parameters
(type_arguments) @type_arguments
(class_declaration body: (_) @members)
(abstract_class_declaration body: (_) @members)
(interface_declaration body: (_) @members)
(public_field_definition name: (property_identifier) @variable_name value: (_) @value) @variable

; A function that has a type must return.
(function_declaration return_type: (_) body: (_) @body (#set! stub "{throw 0}"))
(generator_function_declaration return_type: (_) body: (_) @body (#set! stub "{throw 0}"))
(function_expression return_type: (_) body: (_) @body (#set! stub "{throw 0}"))
(arrow_function return_type: (_) body: (statement_block) @body (#set! stub "{throw 0}"))
(method_definition return_type: (_) body: (_) @body (#set! stub "{throw 0}"))

(method_definition (override_modifier)) @override
(class_declaration (class_heritage (implements_clause)) body: (class_body (method_definition) @override))
(abstract_class_declaration (class_heritage (implements_clause)) body: (class_body (method_definition) @override))
