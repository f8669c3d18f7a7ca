(class_definition name: (_) @name body: (_) @body) @class
(mixin_declaration (mixin) . (identifier) @name (class_body) @body) @class
(extension_declaration name: (_) @name body: (_) @body) @extension
(extension_type_declaration name: (_) @name body: (_) @body) @type
(enum_declaration name: (_) @name body: (_) @body) @enum
(type_alias . (type_identifier) @name) @type

; A body stands behind its signature, and not in it.
(_ (method_signature [
  (function_signature name: (_) @name)
  (getter_signature name: (_) @name)
  (setter_signature name: (_) @name)
  (operator_signature (binary_operator) @name)
  (constructor_signature (identifier) @name . (formal_parameter_list))
  (factory_constructor_signature (identifier) @name . (formal_parameter_list))]) @method . (function_body) @body)
(program (function_signature name: (_) @name) @function . (function_body) @body)
(program [(getter_signature name: (_) @name) (setter_signature name: (_) @name)] @function . (function_body) @body)
(class_body (declaration [(function_signature name: (_) @name) (getter_signature name: (_) @name)]) @method)
(class_body (declaration (constructor_signature (identifier) @name . (formal_parameter_list))) @method)

(program (static_final_declaration_list (static_final_declaration . (identifier) @name) @constant))
(program (initialized_identifier_list (initialized_identifier . (identifier) @name) @constant))
(class_body (declaration (static_final_declaration_list . (static_final_declaration . (identifier) @name))) @constant)
