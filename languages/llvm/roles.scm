; The roles of the nodes of LLVM's intermediate representation. Captures are roles; `filler` is the shortest text that may replace the
; captured node if it cannot be absent.

[(module) (function_body)] @block

[
  (target_definition) (source_file_name) (declare) (fn_define) (module_asm) (global_type) (global_global) (alias) (ifunc) (comdat)
  (global_metadata) (summary_entry) (unnamed_attr_grp) (use_list_order) (use_list_order_bb) (instruction) (label)
] @statement

((function_body) @body (#set! filler "{ unreachable }"))
((function_body) @body (#set! stub "{ unreachable }"))

(value) @expression
(type) @type
((type [(local_var) (struct_type) (packed_struct_type) (array_type) (vector_type)]) @type (#set! filler "i32"))
[(number) (float) (string) (cstring)] @literal
[(local_var) (global_var) (label) (metadata_ref) (metadata_name) (attr_ref) (comdat_ref) (summary_ref)] @name

(function_header name: (_) @function_name arguments: (_) @parameters) @function
(instruction_call callee: (value (var (global_var))) arguments: (argument_list) @arguments) @call
(instruction_invoke callee: (value (var (global_var))) arguments: (argument_list) @arguments) @call
(instruction (local_var) @variable_name) @variable
(global_type (local_var) @alias_name (type) @aliased) @alias
(comment) @comment

(_ "," @separator)
