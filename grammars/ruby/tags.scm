(call method: [(identifier) (constant)] @ref)
(superclass [(constant) @ref (scope_resolution name: (constant) @ref)])
(call receiver: (constant) @ref)
