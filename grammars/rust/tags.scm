(call_expression function: [
  (identifier) @ref
  (scoped_identifier name: (identifier) @ref)
  (field_expression field: (field_identifier) @ref)
  (generic_function function: [(identifier) @ref (scoped_identifier name: (identifier) @ref) (field_expression field: (field_identifier) @ref)])])
(macro_invocation macro: [(identifier) @ref (scoped_identifier name: (identifier) @ref)])
(struct_expression name: [(type_identifier) @ref (scoped_type_identifier name: (type_identifier) @ref)])
(impl_item trait: [(type_identifier) @ref (scoped_type_identifier name: (type_identifier) @ref) (generic_type type: (type_identifier) @ref)])
(parameter type: [(type_identifier) @ref (reference_type type: (type_identifier) @ref) (generic_type type: (type_identifier) @ref)])
(field_declaration type: [(type_identifier) @ref (generic_type type: (type_identifier) @ref)])
(function_item return_type: [(type_identifier) @ref (generic_type type: (type_identifier) @ref)])
