(preproc_include path: (_) @from) @import
