--- Finds the server: the user's own choice first, then the environment of the plugin's own, then one on the path.
local config = require("contextls.config")
local environment = require("contextls.environment")
local programs = require("contextls.programs")

local M = {}

---@class contextls.Launch
---@field command string[]
---@field origin "setting"|"environment"|"path"

--- `-I`: neither variables such as PYTHONPATH nor the folder it runs in decide what it loads.
local SERVE = { "-I", "-m", "contextls.cli.main", "serve" }

--- The server to start for a project, or nil and why there is none.
---@param root? string
---@return contextls.Launch?
---@return string? problem
function M.find(root)
  local path = config.options.server.path
  if path then
    path = vim.fs.normalize(path)
    if not programs.is_program(path) then
      return nil, ("there is no program at %s, which the option server.path names"):format(path)
    end
    return { command = { path, "serve" }, origin = "setting" }
  end
  local source = environment.source()
  local own = source and environment.path(source)
  if own and environment.is_complete(own) then
    return { command = { environment.python(own), unpack(SERVE) }, origin = "environment" }
  end
  local on_path = programs.named("contextls", root)[1]
  if on_path then
    return { command = { on_path, "serve" }, origin = "path" }
  end
  return nil, "the contextls server is not installed yet"
end

--- Starts the server; `cmd` of the configuration for `vim.lsp`. It runs in the plugin's own folder, as the folder of a
--- project must not decide what a program loads.
---@param dispatchers vim.lsp.rpc.Dispatchers
---@return vim.lsp.rpc.PublicClient
function M.start(dispatchers)
  local launch, problem = M.find(vim.fn.getcwd())
  if not launch then
    error(problem, 0)
  end
  local cwd = environment.storage()
  vim.fn.mkdir(cwd, "p")
  local variables = { PYTHONPATH = "", PYTHONHOME = "", PATH = programs.safe_path() }
  return vim.lsp.rpc.start(launch.command, dispatchers, { cwd = cwd, env = variables })
end

return M
