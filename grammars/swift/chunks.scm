(class_declaration declaration_kind: ["class" "actor"] name: (_) @name body: (_) @body) @class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @enum
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @extension
(protocol_declaration name: (_) @name body: (_) @body) @interface
(protocol_function_declaration name: (_) @name) @method
((function_declaration) @function (#set! fields "name body"))
(init_declaration "init" @name body: (_)? @body) @method
(deinit_declaration "deinit" @name body: (_) @body) @method
(typealias_declaration name: (type_identifier) @name) @type
(source_file (property_declaration name: (pattern (simple_identifier) @name)) @constant)
