(statement (create_table (object_reference) @name)) @struct
(statement (create_view (object_reference) @name)) @struct
(statement (create_materialized_view (object_reference) @name)) @struct
(statement (create_type (object_reference) @name)) @type
(statement (create_function (object_reference) @name (function_body) @body)) @function
(statement (create_trigger . (_) (object_reference) @name)) @function
(statement (create_index column: (identifier) @name)) @constant
(statement (create_schema (identifier) @name)) @module
(statement (alter_table (object_reference) @name)) @section
(statement (insert (object_reference) @name)) @section
