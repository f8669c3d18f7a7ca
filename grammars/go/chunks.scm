(function_declaration name: (identifier) @name body: (_) @body) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @scope
    (pointer_type [(type_identifier) @scope (generic_type type: (type_identifier) @scope)])
    (generic_type type: (type_identifier) @scope)]))
  name: (field_identifier) @name
  body: (_) @body) @method

(type_declaration (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @struct)
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type) @body) @interface)
(type_declaration (type_spec name: (type_identifier) @name) @type)
(type_declaration (type_alias name: (type_identifier) @name) @type)

(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @constant)))

; Groups, so that their comment and their first line stay with what they hold.
(source_file (const_declaration "(") @block)
(source_file (var_declaration (var_spec_list)) @block)
