(class_heritage [(identifier) @ref (member_expression property: (property_identifier) @ref)])
