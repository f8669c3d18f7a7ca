(namespace_use_declaration) @from @import
([(require_expression (string) @from) (require_once_expression (string) @from)
  (include_expression (string) @from) (include_once_expression (string) @from)])
