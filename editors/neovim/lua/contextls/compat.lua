--- What Neovim 0.10, 0.11 and 0.12 do differently.
local M = {}

local HAS_METHODS = vim.fn.has("nvim-0.11") == 1

--- Calls a method of a client: a function of its table before 0.11.
---@param client vim.lsp.Client
---@param name string
---@return any
function M.call(client, name, ...)
  if HAS_METHODS then
    return client[name](client, ...)
  end
  return client[name](...)
end

--- Starts a server, and attaches it to a buffer where one is named.
---@param config vim.lsp.ClientConfig
---@param bufnr? integer
---@return integer
function M.start(config, bufnr)
  if bufnr then
    return assert(vim.lsp.start(config, { bufnr = bufnr }))
  elseif HAS_METHODS then
    return assert(vim.lsp.start(config, { attach = false }))
  end
  return assert(vim.lsp.start_client(config))
end

--- Takes the fields that are JSON's `null` out of what a server sent: from 0.12 on, Neovim leaves `vim.NIL` in them.
---@param message any
---@return any message the same, `nil` where it was nothing but `null`
function M.drop_nulls(message)
  if message == vim.NIL then
    return nil
  end
  for key, value in pairs(type(message) == "table" and message or {}) do
    message[key] = M.drop_nulls(value)
  end
  return message
end

--- The configuration in force, with what the user changed in it.
---@return vim.lsp.ClientConfig
function M.configuration()
  return vim.lsp.config and vim.deepcopy(vim.lsp.config.contextls) or require("contextls.lsp").config()
end

return M
