(call_expression . [(simple_identifier) @call (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call))])
(inheritance_specifier inherits_from: (user_type (type_identifier) @ref .))
(type_annotation (user_type (type_identifier) @ref .))
