; The definitions, scopes and uses of names in Ruby. A holder gives its sort to the names defined in it (see
; ../bindings/mod.rs).

(program) @hoisted.function
[(method) (singleton_method)] @scope @hoisted
[(block) (do_block) (lambda)] @scope
[(class) (module) (singleton_class)] @scope.members @hoisted

(method name: (identifier) @definition) @function
(singleton_method name: (identifier) @definition) @function
(class name: (constant) @definition) @type
(module name: (constant) @definition) @type

(method_parameters (identifier) @definition @parameter)
(lambda_parameters (identifier) @definition @parameter)
(block_parameters (identifier) @definition @parameter)
(optional_parameter name: (identifier) @definition) @parameter
(keyword_parameter name: (identifier) @definition) @parameter
(splat_parameter name: (identifier) @definition) @parameter
(block_parameter name: (identifier) @definition) @parameter

(assignment left: (identifier) @definition) @variable
(assignment left: (constant) @definition) @constant
(assignment left: (left_assignment_list (identifier) @definition)) @variable
(assignment left: (instance_variable) @definition) @field
(instance_variable) @use.field
(for pattern: (identifier) @definition) @variable
(exception_variable (identifier) @definition) @variable

(call receiver: (_) method: (identifier) @use.field)
(call method: (identifier) @callee)
