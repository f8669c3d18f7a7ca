(builtin_function (builtin_identifier) @_import (arguments (string) @from) (#eq? @_import "@import"))
