--- contextls: the context behind a chat, in Neovim. `:help contextls`.
local M = {}

--- Takes the options and attaches the server to every file of a project. Raises what is wrong with the options.
---@param opts? contextls.Options
function M.setup(opts)
  require("contextls.config").set(opts)
  require("contextls.lsp").enable()
end

--- For a statusline: what the index does, the tokens of the last context, or a pause; empty where contextls is not at work.
---@return string
function M.statusline()
  return require("contextls.status").statusline()
end

return M
