(command command_name: (command_name) @call)
(invokation_expression (member_name (simple_name) @call))
(class_statement (simple_name) . (simple_name) @ref)
(type_name (type_identifier) @ref)
