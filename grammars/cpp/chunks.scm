(class_specifier name: (_) @name body: (_) @body) @class
(namespace_definition name: (_) @name body: (_) @body) @module
(concept_definition name: (_) @name) @interface
(alias_declaration name: (_) @name) @type
(function_definition
  declarator: (reference_declarator (function_declarator declarator: (_) @name))
  body: (_) @body) @function
(function_definition declarator: (operator_cast) @name body: (_) @body) @function
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method
(template_declaration parameters: (_) @attach)
