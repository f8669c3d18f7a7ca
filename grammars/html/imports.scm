(attribute (attribute_name) @_name (quoted_attribute_value (attribute_value) @from)
  (#any-of? @_name "src" "href"))
