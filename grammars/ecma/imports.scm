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
(variable_declarator
  name: [(identifier) @imported (object_pattern (shorthand_property_identifier_pattern) @imported)
    (object_pattern (pair_pattern key: (property_identifier) @imported))]
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @from .))
  (#eq? @_require "require"))
