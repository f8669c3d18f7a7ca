; Help stands between the brace and the block.
(function_statement (function_name) @name "{" @body (script_block)? @body "}" @body) @function

(class_statement . (simple_name) @name) @class
(class_method_definition (simple_name) @name (script_block) @body) @method
(class_property_definition (variable) @name) @constant
(enum_statement . (simple_name) @name) @enum

; $Limit = 3 at the top of a file
(program (statement_list (pipeline (assignment_expression
  (left_assignment_expression) @name)) @constant)
  (#match? @name "^[$][A-Za-z_][A-Za-z0-9_:]*$"))
