(block (identifier) @_kind (body (attribute (identifier) @_source
  (expression (literal_value (string_lit (template_literal) @from)))))
  (#match? @_kind "^(module|terraform)$")
  (#eq? @_source "source")
  (#match? @from "^[.]")) @import
