(function_declaration name: (_) @name body: (_)? @body) @function
(variable_declaration (assignment_statement
  (variable_list . name: (_) @name .)
  (expression_list . value: (function_definition body: (_)? @body) .))) @function
(assignment_statement
  (variable_list . name: (_) @name .)
  (expression_list . value: (function_definition body: (_)? @body) .)) @function
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @method
; local x = require "x" names what is defined elsewhere
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) .)
  (expression_list . value: [
    (function_call name: (identifier) @_require arguments: (arguments . (string) .))
    (dot_index_expression table: (function_call name: (identifier) @_require arguments: (arguments . (string) .)))] .)))
  @import (#eq? @_require "require"))
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (table_constructor)? @body))) @constant)
(chunk (assignment_statement
  (variable_list . name: (_) @name)
  (expression_list . value: (table_constructor)? @body)) @constant)
