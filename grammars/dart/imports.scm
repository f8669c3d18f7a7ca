(import_specification (configurable_uri) @from) @import
(library_export (configurable_uri) @from) @import
(part_directive (uri) @from) @import
(part_of_directive (uri) @from) @import
