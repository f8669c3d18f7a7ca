(element (start_tag (tag_name) @name)
  (#any-of? @name "html" "head" "body" "header" "footer" "main" "nav" "section" "article" "aside" "div" "form" "table"
    "ul" "ol" "dl" "template" "svg" "details" "dialog" "fieldset")) @section
(script_element (start_tag (tag_name) @name)) @section
(style_element (start_tag (tag_name) @name)) @section
