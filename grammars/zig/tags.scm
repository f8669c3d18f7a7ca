(call_expression function: [(identifier) @call (field_expression member: (identifier) @call)])
(parameter type: (identifier) @ref)
(function_declaration type: (identifier) @ref)
(container_field type: (identifier) @ref)
