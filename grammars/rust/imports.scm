(use_declaration argument: (_) @from) @import
((mod_item name: (identifier) @from !body) @import
  (#set! prefix "self::"))
(extern_crate_declaration name: (identifier) @from) @import
