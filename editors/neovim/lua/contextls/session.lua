--- The client that a command talks to: the one of the buffer in front, else that of the current folder, started and
--- installed where there is none.
local async = require("contextls.async")
local compat = require("contextls.compat")
local config = require("contextls.config")

local M = {}

local NAME = "contextls"
local START_MS = 60000
local POLL_MS = 30

--- Whether the installation was offered since this editor was started.
local offered = false

---@param bufnr? integer
---@return vim.lsp.Client[]
function M.clients(bufnr)
  return vim.lsp.get_clients({ name = NAME, bufnr = bufnr })
end

--- The folder that a client serves.
---@param client vim.lsp.Client
---@return string
function M.root(client)
  local folder = (client.workspace_folders or {})[1]
  return folder and vim.uri_to_fname(folder.uri) or vim.fn.getcwd()
end

--- The running client that is meant where the buffer `bufnr` is in front.
---@param bufnr? integer the current one when absent
---@return vim.lsp.Client?
function M.current(bufnr)
  bufnr = bufnr or vim.api.nvim_get_current_buf()
  local origin = vim.b[bufnr].contextls_root
  local root = origin or require("contextls.lsp").root_of(bufnr)
  local attached = M.clients(bufnr)[1]
  if attached then
    return attached
  end
  return root and M.of_root(root)
end

--- The running client of the folder `root`.
---@param root string
---@return vim.lsp.Client?
function M.of_root(root)
  return vim.iter(M.clients()):find(function(client)
    return M.root(client) == root
  end)
end

--- Whether there is a server to start for `root`; where there is none, its installation is offered, once.
---@param root string
---@return boolean
function M.can_start(root)
  if compat.configuration().cmd == require("contextls.server").start then
    local launch = require("contextls.server").find(root)
    if not launch then
      vim.schedule(function()
        async.run(function()
          M.offer(false)
        end)
      end)
      return false
    end
  end
  return true
end

--- Installs the server if the user wants that; true once it is there. `asked`: a command waits for it now.
---@param asked boolean
---@return boolean
function M.offer(asked)
  local install = require("contextls.install")
  if install.is_running() then
    return asked and install.wait() or false
  end
  if offered and not asked then
    return false
  end
  offered = true
  return install.offer(asked)
end

--- Waits until the client has shaken hands with its server.
---@param id integer
---@return vim.lsp.Client
local function initialized(id)
  local deadline = vim.uv.now() + START_MS
  while vim.uv.now() < deadline do
    local client = vim.lsp.get_client_by_id(id)
    if not client or compat.call(client, "is_stopped") then
      break
    end
    if client.initialized then
      return client
    end
    async.sleep(POLL_MS)
  end
  return async.fail("the server did not start; :Context log says more") --[[@as vim.lsp.Client]]
end

---@param bufnr integer? the buffer to attach it to
---@param root string
---@return integer
local function start(bufnr, root)
  local given = compat.configuration()
  given.root_dir = root
  return compat.start(given, bufnr and require("contextls.place").is_file(bufnr) and bufnr or nil)
end

--- The client to talk to. Waits until it can answer; ends the work where there is none. Only within `async.run`.
---@return vim.lsp.Client
function M.get()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = M.current(bufnr)
  if client then
    return initialized(client.id)
  end
  local lsp = require("contextls.lsp")
  local root = vim.b[bufnr].contextls_root or lsp.root_of(bufnr)
  local here = not root and lsp.root_here() or nil -- in front is a file of no project, such as a log
  if not (root or here) then
    local said = "no project here: open a file in one, or :cd there (a folder with %s)"
    async.fail(said:format(table.concat(config.options.root_markers, ", ")), vim.log.levels.WARN)
  end
  local launch, problem = require("contextls.server").find(root or here)
  if not launch and not M.offer(true) then
    async.fail(problem --[[@as string]], vim.log.levels.WARN)
  end
  lsp.enable()
  return here and M.serve(here) or initialized(start(bufnr, root))
end

--- The client of the folder `root`, started where there is none. Only within `async.run`.
---@param root string
---@return vim.lsp.Client
function M.serve(root)
  local running = M.of_root(root)
  return initialized(running and running.id or start(nil, root))
end

--- Asks the server and waits; what it refuses ends the work with its own words. Only within `async.run`.
---@param client vim.lsp.Client
---@param method string
---@param params? table
---@return any
function M.request(client, method, params)
  params = vim.tbl_extend("keep", params or {}, { rootUri = vim.uri_from_fname(M.root(client)) })
  return M.raw_request(client, method, params)
end

---@param client vim.lsp.Client
---@param method string
---@param params table
---@return any
function M.raw_request(client, method, params)
  local bufnr = vim.api.nvim_get_current_buf() -- not 0: edits that are not sent yet go ahead of the request only by number
  local problem, answer = async.await(function(done)
    local sent = compat.call(client, "request", method, params, done, bufnr)
    if not sent then
      done({ message = "the server is gone; ask again in a moment" })
    end
  end)
  if problem then
    async.fail(problem.message)
  end
  return compat.drop_nulls(answer)
end

--- Hears that a client can be talked to.
---@param client vim.lsp.Client
function M.started(client)
  require("contextls.events").start(client)
  vim.api.nvim_exec_autocmds(
    "User",
    { pattern = "ContextlsStarted", modeline = false, data = { client_id = client.id } }
  )
end

return M
