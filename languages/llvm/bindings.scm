; The definitions, scopes and uses of names in LLVM's intermediate representation. A holder gives its sort to the names defined in it
; (see ../bindings/mod.rs).

(module) @hoisted
(fn_define) @scope @hoisted
(declare) @scope

(fn_define (function_header name: (global_var) @definition.function)) @function
(declare (function_header name: (global_var) @definition.function)) @function
(fn_define (function_header arguments: (argument_list (argument (value (var (local_var) @definition.parameter))))))
(declare (function_header arguments: (argument_list (argument (value (var (local_var) @definition.parameter))))))
(instruction . (local_var) @definition) @variable
(label) @definition @variable

(global_global . (global_var) @definition) @variable
(alias . (global_var) @definition) @variable
(ifunc . (global_var) @definition) @variable
(global_type . (local_var) @definition) @tag
(type (local_var) @use.tag)
(global_metadata . (metadata_ref) @definition) @field
(metadata_ref) @use.field
(unnamed_attr_grp . (attr_ref) @definition) @label
(attr_ref) @use.label

(instruction_call callee: (value (var (global_var) @callee)))
(instruction_invoke callee: (value (var (global_var) @callee)))
