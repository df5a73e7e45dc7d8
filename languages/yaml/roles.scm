; The roles of YAML's nodes. Captures are roles; `filler` is the shortest text that may replace the captured node if
; it cannot be absent.

[(stream) (document)] @block
((block_mapping) @block (#set! filler "{}"))
((block_sequence) @block (#set! filler "[]"))
[(document) (block_mapping_pair) (block_sequence_item)] @statement

[(block_node) (flow_node)] @expression
(block_sequence_item (_) @value)
(block_mapping_pair value: (_) @value)
[(plain_scalar) (double_quote_scalar) (single_quote_scalar) (block_scalar)] @literal
[(anchor_name) (alias_name)] @name
[(block_scalar) (double_quote_scalar) (single_quote_scalar)] @verbatim
(comment) @comment

(_ "," @separator)
