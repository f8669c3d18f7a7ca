(document (object (pair key: (_) @name) @section))
(document (object (pair value: (object (pair key: (_) @name) @section))))
