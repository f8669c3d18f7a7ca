--- For `vim.lsp.enable("contextls")`; `vim.lsp.config("contextls", {…})` changes what is in here.
return require("contextls.lsp").config()
