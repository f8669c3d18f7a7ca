(call target: (identifier) @_kind (arguments . [(alias) (dot)] @from)
  (#any-of? @_kind "alias" "import" "use" "require")) @import
