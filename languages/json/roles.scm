; The roles of JSON's nodes. Captures are roles.

(document) @block

(_value) @expression
[(number) (string) (true) (false) (null)] @literal
(pair key: (string) @name)
(comment) @comment

(_ "," @separator)
