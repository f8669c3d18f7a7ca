; resource "aws_s3_bucket" "logs" is logs of aws_s3_bucket
(config_file (body (block (identifier)
  . (string_lit (template_literal) @scope)
  . (string_lit (template_literal) @name)
  . (block_start) (body) @body) @struct))

(config_file (body (block (identifier) @_kind
  . (string_lit (template_literal) @name)
  . (block_start) (body) @body) @module
  (#match? @_kind "^(module|job)$")))
(config_file (body (block (identifier) @_kind
  . (string_lit (template_literal) @name)
  . (block_start)) @constant
  (#match? @_kind "^(variable|output)$")))
(config_file (body (block (identifier)
  . (string_lit (template_literal) @name)
  . (block_start) (body) @body) @struct))

(config_file (body (block (identifier) @_kind (body (attribute (identifier) @name) @constant))
  (#eq? @_kind "locals")))
(config_file (body (attribute (identifier) @name) @constant))

; What has no name, such as terraform { … }, keeps its comment and its first line.
(config_file (body (block (identifier) . (block_start)) @block))
