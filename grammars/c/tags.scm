(call_expression function: [(identifier) @ref (field_expression field: (field_identifier) @ref)])
(parameter_declaration type: (type_identifier) @ref)
(field_declaration type: (type_identifier) @ref)
(declaration type: (type_identifier) @ref)
