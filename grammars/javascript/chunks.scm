(class_body (field_definition property: (_) @name value: (arrow_function body: (_) @body)) @method)
