(import_declaration (identifier) @from) @import
