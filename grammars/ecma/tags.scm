(call_expression function: [(identifier) @ref (member_expression property: (property_identifier) @ref)])
(new_expression constructor: [(identifier) @ref (member_expression property: (property_identifier) @ref)])
