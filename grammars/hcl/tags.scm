(function_call (identifier) @call)

; logs in aws_s3_bucket.logs.arn, prefix in var.prefix
(expression (variable_expr) . (get_attr (identifier) @ref))

; ubuntu in data.aws_ami.ubuntu.id
(expression (variable_expr (identifier) @_data) . (get_attr) . (get_attr (identifier) @ref)
  (#eq? @_data "data"))
