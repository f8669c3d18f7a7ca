(call_expression function: [(identifier) @call (field_expression field: (field_identifier) @call)])
(parameter_declaration type: (type_identifier) @ref)
(field_declaration type: (type_identifier) @ref)
(declaration type: (type_identifier) @ref)
