(call function: [(identifier) @call (attribute object: (identifier)? @of attribute: (identifier) @call)])
(class_definition superclasses: (argument_list [(identifier) @ref (attribute attribute: (identifier) @ref)]))
(decorator [(identifier) @call (attribute object: (identifier)? @of attribute: (identifier) @call)])
(type [(identifier) @ref (attribute attribute: (identifier) @ref)])
