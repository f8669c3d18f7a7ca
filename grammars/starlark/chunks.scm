; A target is called by its name, but those that are files.
(module
  (expression_statement
    (call arguments: (argument_list (keyword_argument name: (identifier) @_name value: (string (string_content) @name)))) @constant)
  (#eq? @_name "name")
  (#match? @name "^[^.]+$"))
