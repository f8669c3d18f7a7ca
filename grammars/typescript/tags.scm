(extends_clause value: (identifier) @ref)
(type_annotation [(type_identifier) @ref (generic_type name: (type_identifier) @ref)])
(implements_clause [(type_identifier) @ref (generic_type name: (type_identifier) @ref)])
(extends_type_clause [(type_identifier) @ref (generic_type name: (type_identifier) @ref)])
