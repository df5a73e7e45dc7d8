; Anchors and their aliases.

(block_node (anchor (anchor_name) @definition)) @variable
(flow_node (anchor (anchor_name) @definition)) @variable
