(data_type name: (_) @name) @type
(newtype name: (_) @name) @type
(type_synonym name: (_) @name) @type
(class name: (_) @name declarations: (_)? @body) @interface
(instance name: (_) @name declarations: (_)? @body) @extension
(declarations [
  (function name: (_) @name match: (_) @body)
  (bind name: (_) @name match: (_) @body)] @function)
(instance_declarations (function name: (_) @name match: (_) @body) @function)
(class_declarations (signature name: (_) @name) @function)
(declarations (signature) @attach)
(instance_declarations (signature) @attach)
