(import_statement [(string_value) @from (call_expression (arguments [(string_value) (plain_value)] @from))]) @import
