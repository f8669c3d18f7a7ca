(function_declaration name: (_) @name body: (_)? @body) @function
(variable_declaration (identifier) @name (struct_declaration) @body) @struct
(variable_declaration (identifier) @name (union_declaration) @body) @struct
(variable_declaration (identifier) @name (opaque_declaration) @body) @struct
(variable_declaration (identifier) @name (enum_declaration) @body) @enum
(variable_declaration (identifier) @name (error_set_declaration) @body) @enum
(source_file (variable_declaration . (identifier) @name) @constant)
(struct_declaration (variable_declaration . (identifier) @name) @constant)
(test_declaration [(string) (identifier)] @name (block) @body) @test
