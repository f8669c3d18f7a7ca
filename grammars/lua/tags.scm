(function_call name: [
  (identifier) @ref
  (dot_index_expression field: (identifier) @ref)
  (method_index_expression method: (identifier) @ref)])
