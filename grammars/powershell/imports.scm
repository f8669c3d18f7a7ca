; Import-Module ./Tools.psm1, using module ./Mail.psm1
(command command_name: (command_name) @_import
  command_elements: (command_elements (generic_token) @from)
  (#match? @_import "^([Ii]mport-[Mm]odule|[Uu]sing)$")
  (#match? @from "[.]psm1$")) @import

; . "$PSScriptRoot/lib.ps1"
(command (command_invokation_operator)
  command_name: (command_name_expr (string_literal (expandable_string_literal (variable)) @from))) @import
