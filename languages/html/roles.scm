; The roles of HTML's nodes. Captures are roles.

(document) @block
[(doctype) (element) (script_element) (style_element) (text) (entity) (erroneous_end_tag)] @statement
(element (element) @body)
(element (text) @body)
[(tag_name) (attribute_name)] @name
(quoted_attribute_value) @literal
(comment) @comment
[(raw_text) (quoted_attribute_value)] @verbatim
