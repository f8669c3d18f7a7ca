(command name: (command_name) @_source . argument: (_) @from (#any-of? @_source "source" ".")) @import
