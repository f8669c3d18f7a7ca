(rule_set (selectors) @name (block) @body) @section
(media_statement . (_) @name (block) @body) @section
(supports_statement . (_) @name (block) @body) @section
(keyframes_statement (keyframes_name) @name) @section
(at_rule (at_keyword) @name) @section
