(call_expression . [(identifier) @call (navigation_expression (identifier) @call .)])
[(callable_reference (identifier) @call) (navigation_expression "::" (identifier) @call)]
(delegation_specifier [(user_type (identifier) @ref .) (constructor_invocation (user_type (identifier) @ref .))])
(class_parameter (user_type (identifier) @ref .))
(parameter (user_type (identifier) @ref .))
(annotation (user_type (identifier) @ref .))
