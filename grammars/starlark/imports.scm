(call function: (identifier) @_load arguments: (argument_list . (string (string_content) @from) (string (string_content) @imported)*) (#eq? @_load "load")) @import
