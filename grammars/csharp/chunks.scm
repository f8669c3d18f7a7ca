(class_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(struct_declaration name: (_) @name body: (_) @body) @struct
(enum_declaration name: (_) @name body: (_) @body) @enum
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_) @body) @method
(destructor_declaration name: (_) @name body: (_) @body) @method
(operator_declaration operator: _ @name body: (_) @body) @method
(local_function_statement name: (_) @name body: (_) @body) @function
(property_declaration name: (_) @name) @constant
(field_declaration (modifier) @_m (variable_declaration (variable_declarator name: (_) @name))
  (#any-of? @_m "const" "static")) @constant
