(call_expression function: [
  (qualified_identifier name: (identifier) @call)
  (qualified_identifier name: (qualified_identifier name: (identifier) @call))
  (template_function name: (identifier) @call)
  (qualified_identifier name: (template_function name: (identifier) @call))])
(base_class_clause [(type_identifier) @ref (template_type name: (type_identifier) @ref) (qualified_identifier name: (type_identifier) @ref)])
(new_expression type: (type_identifier) @call)
