(relation (object_reference name: (identifier) @ref))
(invocation (object_reference name: (identifier) @ref))
(insert (object_reference name: (identifier) @ref))
(column_definition (object_reference name: (identifier) @ref))
