(function_call name: (identifier) @_require arguments: (arguments . (string) @from)
  (#any-of? @_require "require" "dofile"))
