(import_declaration) @from @import
(package_clause) @import
