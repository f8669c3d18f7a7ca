(import module: (_) @from) @import
(import module: (_) @from names: (import_list name: (import_name [variable: (_) type: (_)] @imported)))
(header) @import
