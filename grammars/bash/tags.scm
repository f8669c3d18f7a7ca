(command_name (word) @ref)
