(class_declaration name: (_) @name (enum_class_body) @body) @enum
(class_declaration "interface" name: (_) @name (class_body)? @body) @interface
(class_declaration "class" name: (_) @name (class_body)? @body) @class
(object_declaration name: (_) @name (class_body)? @body) @class
(companion_object (class_body) @body) @extension
(function_declaration (user_type (identifier) @scope) . "." . name: (_) @name (function_body)? @body) @method
(function_declaration name: (_) @name (function_body)? @body) @function
(secondary_constructor "constructor" @name (block) @body) @method
(type_alias . (identifier) @name) @type
(source_file (property_declaration (variable_declaration . (identifier) @name)) @constant)
