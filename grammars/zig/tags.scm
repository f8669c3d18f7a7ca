(call_expression function: [(identifier) @ref (field_expression member: (identifier) @ref)])
(parameter type: (identifier) @ref)
(function_declaration type: (identifier) @ref)
(container_field type: (identifier) @ref)
