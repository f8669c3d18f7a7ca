(relation (object_reference name: (identifier) @ref))
(invocation (object_reference name: (identifier) @call))
(insert (object_reference name: (identifier) @ref))
(column_definition (object_reference name: (identifier) @ref))
