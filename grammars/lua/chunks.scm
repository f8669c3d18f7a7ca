(function_declaration name: (_) @name body: (_)? @body) @function
(variable_declaration (assignment_statement
  (variable_list . name: (_) @name .)
  (expression_list . value: (function_definition body: (_)? @body) .))) @function
(assignment_statement
  (variable_list . name: (_) @name .)
  (expression_list . value: (function_definition body: (_)? @body) .)) @function
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @method
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (table_constructor)? @body))) @constant)
(chunk (assignment_statement
  (variable_list . name: (_) @name)
  (expression_list . value: (table_constructor)? @body)) @constant)
