(import_declaration (scoped_identifier) @from) @import
(import_declaration (identifier) @from) @import
(package_declaration) @import
