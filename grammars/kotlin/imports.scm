(import (qualified_identifier) @from) @import
(package_header) @import
