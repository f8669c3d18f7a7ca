--- What this editor tells the server of: each kind has a module of its own and an option that turns it off.
local async = require("contextls.async")
local compat = require("contextls.compat")
local config = require("contextls.config")
local session = require("contextls.session")

local M = {}

local GROUP = "contextls.events"
local SETTLE_MS = 3000
local POLL_MS = 20

local started = false
--- How many events are on their way: a question about the last one waits for them.
local pending = 0

---@param folder string
---@param path string
---@return boolean
local function holds(folder, path)
  return vim.startswith(path .. "/", folder .. "/")
end

--- The client of the project that holds a folder; nil where none does.
---@param folder string
---@return vim.lsp.Client?
function M.client_for(folder)
  local path = vim.uv.fs_realpath(folder) or folder
  return vim.iter(session.clients()):find(function(client)
    local root = session.root(client)
    return holds(root, folder) or holds(vim.uv.fs_realpath(root) or root, path)
  end)
end

--- Whether what happens in a folder is recorded now.
---@param folder string
---@return boolean
function M.listens(folder)
  local client = M.client_for(folder)
  return client ~= nil and client.initialized == true
end

--- Sends a notification; nothing is waited for.
---@param client vim.lsp.Client
---@param method string
---@param params table
function M.notify(client, method, params)
  if client.initialized then
    compat.call(client, "notify", method, params)
  end
end

--- Records an event; who asks for what happened last waits for it.
---@param client vim.lsp.Client
---@param event table
function M.record(client, event)
  if not client.initialized then
    return
  end
  pending = pending + 1
  local function answered()
    pending = pending - 1
  end
  local bufnr = vim.api.nvim_get_current_buf()
  if not compat.call(client, "request", "context/recordEvent", event, answered, bufnr) then
    answered()
  end
end

--- Waits a moment for events that are on their way. Only within `async.run`.
function M.settle()
  local deadline = vim.uv.now() + SETTLE_MS
  while pending > 0 and vim.uv.now() < deadline do
    async.sleep(POLL_MS)
  end
end

--- Milliseconds of a clock that goes on while Neovim waits for a command.
---@return integer
function M.now()
  return math.floor(vim.uv.hrtime() / 1e6)
end

---@class contextls.Ran
---@field command string
---@field cwd string
---@field exit_code? integer
---@field failed? boolean where no exit code says so
---@field began? integer as `now` had it
---@field output? string

--- Records a command that ended, in the project where it ran; nowhere where it ran elsewhere.
---@param ran contextls.Ran
function M.record_command(ran)
  local client = M.client_for(ran.cwd)
  local command = vim.trim(ran.command)
  if not client or command == "" then
    return
  end
  local outcome = ran.exit_code == nil and ran.failed ~= nil and (ran.failed and "failure" or "success")
    or nil
  M.record(client, {
    type = "shell_exec",
    outcome = outcome,
    rootUri = vim.uri_from_fname(session.root(client)),
    content = {
      command = command,
      cwd = ran.cwd,
      exitCode = ran.exit_code,
      durationMs = ran.began and math.max(0, M.now() - ran.began) or nil,
      stdout = ran.output ~= "" and ran.output or nil,
    },
  })
end

--- Begins to follow the editor, once; later clients are told what concerns them.
---@param client vim.lsp.Client
function M.start(client)
  require("contextls.status").follow()
  if not started then
    started = true
    local group = vim.api.nvim_create_augroup(GROUP, {})
    for _, kind in ipairs({ "documents", "commands", "terminals", "diagnostics", "messages" }) do
      if config.options.events[kind] then
        require("contextls.events." .. kind).follow(group)
      end
    end
  end
  if config.options.events.documents then
    require("contextls.events.documents").tell()
  end
  if config.options.events.diagnostics then
    require("contextls.events.diagnostics").tell_all(client)
  end
end

return M
