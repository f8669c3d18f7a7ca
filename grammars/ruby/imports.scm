((call method: (identifier) @_require arguments: (argument_list . (string) @from)) @import
  (#any-of? @_require "require" "load"))
((call method: (identifier) @_require arguments: (argument_list . (string (string_content) @from))) @import
  (#eq? @_require "require_relative") (#set! prefix "./"))
