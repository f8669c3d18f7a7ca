(call target: [(identifier) @call (dot right: (identifier) @call)]
  (#not-match? @call "^(def|defp|defmodule|defmacro|defmacrop|defstruct|defprotocol|defimpl|use|alias|import|require|doc|spec|moduledoc|quote|unquote|if|unless|case|cond|with|for)$"))
(call target: (dot left: (alias) @ref))
