(function_definition
  declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator declarator: (function_declarator declarator: (_) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))]
  body: (_) @body) @function

; Prototypes, so that headers have symbols.
(declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @function

(struct_specifier name: (_) @name body: (_) @body) @struct
(union_specifier name: (_) @name body: (_) @body) @struct
(enum_specifier name: (_) @name body: (_) @body) @enum

(type_definition type: (struct_specifier body: (_) @body) declarator: (type_identifier) @name) @struct
(type_definition type: (union_specifier body: (_) @body) declarator: (type_identifier) @name) @struct
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @enum
(type_definition declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))]) @type

(preproc_def name: (_) @name value: (_)) @constant
(preproc_function_def name: (_) @name) @macro

(translation_unit (declaration declarator: [
  (identifier) @name
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))])
  (array_declarator declarator: (identifier) @name)]) @constant)
