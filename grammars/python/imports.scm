(import_statement name: [(dotted_name) @from (aliased_import name: (dotted_name) @from)]) @import
(import_from_statement module_name: (_) @from) @import
(import_from_statement
  module_name: (_) @from
  name: [(dotted_name) @imported (aliased_import name: (dotted_name) @imported)])
(future_import_statement) @import
