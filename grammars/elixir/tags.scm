(call target: [(identifier) @ref (dot right: (identifier) @ref)]
  (#not-match? @ref "^(def|defp|defmodule|defmacro|defmacrop|defstruct|defprotocol|defimpl|use|alias|import|require|doc|spec|moduledoc|quote|unquote|if|unless|case|cond|with|for)$"))
(call target: (dot left: (alias) @ref))
