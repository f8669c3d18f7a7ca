(call_expression function: [
  (identifier) @call
  (scoped_identifier path: [(identifier) @of (scoped_identifier name: (identifier) @of)]? name: (identifier) @call)
  (field_expression field: (field_identifier) @call)
  (generic_function function: [(identifier) @call (scoped_identifier path: (identifier)? @of name: (identifier) @call) (field_expression field: (field_identifier) @call)])])
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (identifier) @call)])
(struct_expression name: [(type_identifier) @ref (scoped_type_identifier name: (type_identifier) @ref)])
(impl_item trait: [(type_identifier) @ref (scoped_type_identifier name: (type_identifier) @ref) (generic_type type: (type_identifier) @ref)])
(parameter type: [(type_identifier) @ref (reference_type type: (type_identifier) @ref) (generic_type type: (type_identifier) @ref)])
(field_declaration type: [(type_identifier) @ref (generic_type type: (type_identifier) @ref)])
(function_item return_type: [(type_identifier) @ref (generic_type type: (type_identifier) @ref)])
