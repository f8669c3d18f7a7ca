; Shared by JavaScript, TypeScript and TSX; names are matched as (_) because the grammars type them differently.
(class_declaration name: (_) @name body: (_) @body) @class
(class name: (_) @name body: (_) @body) @class
(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(method_definition name: (_) @name body: (_) @body) @method
(decorator) @attach

(export_statement "default" @name value: [
  (function_expression body: (_) @body)
  (arrow_function body: (_) @body)
]) @function
(export_statement "default" @name value: (class body: (_) @body)) @class
(export_statement "default" @name value: (object) @body) @constant

([(lexical_declaration (variable_declarator name: (identifier) @name value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)]))
  (variable_declaration (variable_declarator name: (identifier) @name value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)]))] @function)

; const x = require("./x"), also of a member or taken apart, names what is defined elsewhere
(program [
  (lexical_declaration . (variable_declarator value: [
    (call_expression function: (identifier) @_require arguments: (arguments . (string) .))
    (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string) .)))]) .)
  (variable_declaration . (variable_declarator value: [
    (call_expression function: (identifier) @_require arguments: (arguments . (string) .))
    (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string) .)))]) .)
] @import (#eq? @_require "require"))
(program [(lexical_declaration (variable_declarator name: (identifier) @name))
  (variable_declaration (variable_declarator name: (identifier) @name))] @constant)
(export_statement declaration: [(lexical_declaration (variable_declarator name: (identifier) @name))
  (variable_declaration (variable_declarator name: (identifier) @name))] @constant)

; module.exports = …, exports.f = function () {}, Thing.prototype.f = () => {}
(expression_statement (assignment_expression
  left: (member_expression) @name
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)])) @function
(expression_statement (assignment_expression
  left: (member_expression) @name
  right: [(object) (class)] @body)) @constant
(pair key: (_) @name value: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @method

; it("adds", () => {…})
(expression_statement (call_expression
  function: [(identifier) @_call (member_expression object: (identifier) @_call)]
  arguments: (arguments . [(string) (template_string)] @name [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @_call "describe" "it" "test" "suite" "context"))) @test
