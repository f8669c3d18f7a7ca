(class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(trait_declaration name: (_) @name body: (_) @body) @class
(enum_declaration name: (_) @name body: (_) @body) @enum
(method_declaration name: (_) @name body: (_)? @body) @method
(function_definition name: (_) @name body: (_) @body) @function
(const_declaration (const_element (name) @name)) @constant
(namespace_definition name: (_) @name body: (_) @body) @module
