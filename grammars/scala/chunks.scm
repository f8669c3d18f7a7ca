(class_definition name: (_) @name body: (_)? @body) @class
(object_definition name: (_) @name body: (_)? @body) @class
(trait_definition name: (_) @name body: (_)? @body) @interface
(enum_definition name: (_) @name body: (_) @body) @enum
(given_definition name: (_) @name body: (_)? @body) @constant
(extension_definition) @extension
(function_definition name: (_) @name body: (_) @body) @function
(function_declaration name: (_) @name) @function
(type_definition name: (_) @name) @type
(compilation_unit (val_definition pattern: (identifier) @name) @constant)
(template_body (val_definition pattern: (identifier) @name) @constant)
