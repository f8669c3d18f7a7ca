; A section is called by its id, else by its class if it has a single one. Tags tell nothing apart: every page has a header.
(element (start_tag (tag_name) @_tag
    (attribute (attribute_name) @_key (quoted_attribute_value (attribute_value) @name)))
  (#any-of? @_tag "html" "head" "body" "header" "footer" "main" "nav" "section" "article" "aside" "div" "form" "table"
    "ul" "ol" "dl" "template" "svg" "details" "dialog" "fieldset")
  (#eq? @_key "id") (#match? @name "^[A-Za-z][A-Za-z0-9_-]*$")) @section
(script_element (start_tag (attribute (attribute_name) @_key (quoted_attribute_value (attribute_value) @name)))
  (#eq? @_key "id") (#match? @name "^[A-Za-z][A-Za-z0-9_-]*$")) @section
(style_element (start_tag (attribute (attribute_name) @_key (quoted_attribute_value (attribute_value) @name)))
  (#eq? @_key "id") (#match? @name "^[A-Za-z][A-Za-z0-9_-]*$")) @section
(element (start_tag (tag_name) @_tag
    (attribute (attribute_name) @_key (quoted_attribute_value (attribute_value) @name)))
  (#any-of? @_tag "html" "head" "body" "header" "footer" "main" "nav" "section" "article" "aside" "div" "form" "table"
    "ul" "ol" "dl" "template" "svg" "details" "dialog" "fieldset")
  (#eq? @_key "class") (#match? @name "^[A-Za-z][A-Za-z0-9_-]*$")) @section
(element (start_tag (tag_name) @_tag)
  (#any-of? @_tag "html" "head" "body" "header" "footer" "main" "nav" "section" "article" "aside" "div" "form" "table"
    "ul" "ol" "dl" "template" "svg" "details" "dialog" "fieldset")) @section
(script_element) @section
(style_element) @section
