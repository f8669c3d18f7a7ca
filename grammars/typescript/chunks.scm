(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(type_alias_declaration name: (_) @name) @type
(internal_module name: (_) @name body: (_) @body) @module
(module name: (_) @name body: (_) @body) @module
(function_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @method
(class_body (public_field_definition name: (_) @name value: (arrow_function body: (_) @body)) @method)
