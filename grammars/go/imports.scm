(import_declaration) @import
(import_spec path: (_) @from)
