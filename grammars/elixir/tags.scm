(call target: [(identifier) @call (dot right: (identifier) @call)]
  (#not-match? @call "^(def|defp|defmodule|defmacro|defmacrop|defstruct|defprotocol|defimpl|use|alias|import|require|doc|spec|moduledoc|quote|unquote|if|unless|case|cond|with|for)$"))
(call target: (dot left: (alias) @ref))
(call target: (identifier) @use (arguments . (alias) @ref) (#eq? @use "use"))
(unary_operator operand: (call target: (identifier) @attribute (arguments . (alias) @ref)) (#eq? @attribute "behaviour"))
(call target: (identifier) @defimpl (arguments . (alias) @ref) (#eq? @defimpl "defimpl"))
; A module as a value: what a supervisor starts, what is queried, what a struct is of.
(struct (alias) @ref)
(list (tuple (alias) @ref))
(arguments (tuple (alias) @ref))
(list (alias) @ref)
(call target: (dot) (arguments (alias) @ref))
(binary_operator operator: ["in" "|>" "=="] [(alias) @ref])
