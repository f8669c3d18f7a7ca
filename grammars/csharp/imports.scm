(using_directive [(identifier) (qualified_name)] @from .) @import
