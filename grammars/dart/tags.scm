(_ (identifier) @call . (selector (argument_part)))
(_ (identifier)? @of . (selector [(unconditional_assignable_selector (identifier) @call) (conditional_assignable_selector (identifier) @call)])
  . (selector (argument_part)))
(cascade_section (cascade_selector (identifier) @call) . (argument_part))
(new_expression (type_identifier) @call)
(const_object_expression (type_identifier) @call)
(superclass (type_identifier) @ref)
(mixins (type_identifier) @ref)
(interfaces (type_identifier) @ref)
(formal_parameter (type_identifier) @ref)
(annotation name: (_) @ref)

; makeCart<Item>(…) is read as two comparisons.
(relational_expression
  (relational_expression [(identifier) @call (selector (unconditional_assignable_selector (identifier) @call))] . (relational_operator "<"))
  . (relational_operator ">") . (parenthesized_expression))
