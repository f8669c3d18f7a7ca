--- The configuration for `vim.lsp`: what `lsp/contextls.lua` gives `vim.lsp.config`, also used where that is not there.
local config = require("contextls.config")
local pause = require("contextls.pause")
local server = require("contextls.server")

local M = {}

local COPY_CONTEXT = "contextls.copyContext"
local FIRST_RESTART_MS = 250
local HEALTHY_MS = 60000
local MOST_RESTARTS = 6
local SIGTERM = 15

--- Whether a folder is a home, above one, or the whole disk.
---@param folder string
---@return boolean
local function is_too_wide(folder)
  local home = vim.fs.normalize("~")
  return folder == home or folder == vim.fs.dirname(folder) or vim.startswith(home, folder .. "/")
end

--- The root folder of the project that a buffer belongs to: the one that holds a marker, else the current folder where
--- the file lies in it and it is neither a home nor the whole disk.
---@param bufnr integer
---@return string?
function M.root_of(bufnr)
  local marked = vim.fs.root(bufnr, config.options.root_markers)
  if marked then
    return marked
  end
  local cwd = vim.fs.normalize(vim.fn.getcwd())
  local file = vim.fs.normalize(vim.api.nvim_buf_get_name(bufnr))
  local inside = file == "" or file == "." or vim.startswith(file, cwd .. "/") or vim.bo[bufnr].buftype ~= ""
  return inside and not is_too_wide(cwd) and cwd or nil
end

--- The root folder of the project that the current folder belongs to, whatever file is in front.
---@return string?
function M.root_here()
  local cwd = vim.fs.normalize(vim.fn.getcwd())
  return vim.fs.root(cwd, config.options.root_markers) or (not is_too_wide(cwd) and cwd or nil)
end

--- What the server is told of the settings for the folder `root`.
---@param root? string
---@return table<string, any>
function M.settings(root)
  local events = config.options.events
  local unrecorded = vim.list_extend({}, config.options.settings.unrecorded or {})
  if not events.documents then
    table.insert(unrecorded, "file*")
  end
  local settings = vim.tbl_extend("force", config.options.settings, { unrecorded = unrecorded })
  if root and pause.is_paused(root) then
    settings.memoryPaused = true
  end
  return settings
end

--- Restarts a server that went down by itself, ever later, and gives up after a while.
local restarts = { count = 0, began = 0 }

---@param code integer
---@param signal integer
local function on_exit(code, signal)
  local asked = code == 0 and (signal == 0 or signal == SIGTERM)
  if asked or vim.v.exiting ~= vim.NIL then
    return
  end
  if vim.uv.now() - restarts.began >= HEALTHY_MS then
    restarts.count = 0
  end
  restarts.count = restarts.count + 1
  if restarts.count > MOST_RESTARTS then
    vim.schedule(function()
      local said = "contextls: the server went down %d times and is not started again; :Context log says more"
      vim.notify(said:format(restarts.count), vim.log.levels.ERROR)
    end)
    return
  end
  vim.defer_fn(M.enable, FIRST_RESTART_MS * 2 ^ (restarts.count - 1))
end

---@return vim.lsp.ClientConfig
function M.config()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = { contextls = { copyToClipboard = true, didChangeMemory = true } }
  return {
    name = "contextls",
    cmd = server.start,
    capabilities = capabilities,
    root_dir = function(bufnr, on_dir)
      local root = M.root_of(bufnr)
      if root and require("contextls.session").can_start(root) then
        on_dir(root)
      end
    end,
    before_init = function(params, given)
      local settings = M.settings(given.root_dir --[[@as string?]])
      params.initializationOptions = vim.tbl_extend("force", settings, given.init_options or {})
    end,
    on_init = function(client)
      restarts.began = vim.uv.now()
      require("contextls.session").started(client)
    end,
    on_exit = on_exit,
    handlers = {
      ["context/didChangeMemory"] = function(_, params, context)
        local client = vim.lsp.get_client_by_id(context.client_id)
        if client and vim.list_contains(params.changed, "workingSet") then
          require("contextls.async").run(function()
            require("contextls.pins").tell_news(client)
          end)
        end
        vim.api.nvim_exec_autocmds("User", { pattern = "ContextlsMemory", data = params, modeline = false })
      end,
    },
    commands = {
      [COPY_CONTEXT] = function(command, context)
        require("contextls.ask").run_code_action(command, context)
      end,
    },
  }
end

---@param bufnr integer
local function start(bufnr)
  if require("contextls.place").is_file(bufnr) then
    local given = M.config()
    given.root_dir(bufnr, function(root)
      require("contextls.compat").start(vim.tbl_extend("force", given, { root_dir = root }), bufnr)
    end)
  end
end

--- Attaches the server to every file of a project, from now on and to those that are open.
function M.enable()
  if vim.lsp.enable then
    vim.lsp.enable("contextls")
    return
  end
  local group = vim.api.nvim_create_augroup("contextls.enable", {}) -- Neovim 0.10
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    callback = function(args)
      start(args.buf)
    end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].filetype ~= "" then
      start(bufnr)
    end
  end
end

return M
