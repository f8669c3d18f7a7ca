(call target: (identifier) @_kind (arguments . (alias) @name) (do_block) @body
  (#eq? @_kind "defmodule")) @module
(call target: (identifier) @_kind (arguments . (alias) @name) (do_block) @body
  (#eq? @_kind "defprotocol")) @interface
(call target: (identifier) @_kind (arguments . (alias) @name) (do_block) @body
  (#eq? @_kind "defimpl")) @extension
(call target: (identifier) @_kind
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)])])
  (do_block)? @body
  (#any-of? @_kind "def" "defp" "defdelegate")) @function
(call target: (identifier) @_kind
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)])])
  (do_block)? @body
  (#any-of? @_kind "defmacro" "defmacrop" "defguard" "defguardp")) @macro
(call target: (identifier) @_kind (arguments . (string) @name) (do_block) @body
  (#any-of? @_kind "test" "describe")) @test
(unary_operator operand: (call target: (identifier) @_kind)
  (#any-of? @_kind "doc" "spec" "impl" "typedoc" "deprecated" "since" "tag")) @attach
(do_block (unary_operator operator: "@" operand: (call
  target: (identifier) @name @_kind
  (#not-match? @_kind "^(doc|spec|impl|typedoc|deprecated|since|tag|moduledoc|type|behaviour|callback)$"))) @constant)
