(module name: (_) @name body: (_)? @body) @module
(class name: (_) @name body: (_)? @body) @class
(singleton_class value: (_) body: (_)? @body) @extension
(method name: (_) @name body: (_)? @body) @method
(singleton_method name: (_) @name body: (_)? @body) @method
(assignment left: (constant) @name) @constant
(call method: (identifier) @_call
  arguments: (argument_list . [(string) (constant) (scope_resolution)] @name)
  block: (_) @body
  (#any-of? @_call "describe" "context" "it" "specify" "test" "feature" "scenario")) @test
