std = "luajit"
read_globals = { "vim" }
globals = { "vim.bo", "vim.wo", "vim.b", "vim.w", "vim.g", "vim.o", "vim.env", "vim.opt_local" }
max_line_length = 125
self = false
