(call method: [(identifier) (constant)] @call)
(superclass [(constant) @ref (scope_resolution name: (constant) @ref)])
(call receiver: (constant) @ref)
