(import_statement source: (string) @from) @import
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @imported)))
  source: (string) @from)
(import_statement (import_clause (identifier) @imported) source: (string) @from)
(export_statement source: (string) @from) @import
(call_expression
  function: [(import) (identifier) @_require]
  arguments: (arguments . (string) @from .)
  (#eq? @_require "require"))
