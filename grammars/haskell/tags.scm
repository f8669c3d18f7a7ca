(apply function: [(variable) (constructor)] @call)
(infix left_operand: (variable) @ref)
(infix right_operand: (variable) @ref)
(signature type: (_ [(name) (apply constructor: (name))] @ref))
