; The roles of C's nodes, beside those in shared_roles.scm.

[(declaration) (function_definition) (type_definition) (field_declaration)] @statement
