(class_definition name: (identifier) @name body: (block) @body) @class
(function_definition name: (identifier) @name body: (block) @body) @function
(decorator) @attach

(module (expression_statement (assignment left: (identifier) @name)) @constant)
(module (type_alias_statement left: (type (identifier) @name)) @type)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @constant))
