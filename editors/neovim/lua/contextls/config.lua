--- The options of `require("contextls").setup`.
local M = {}

---@class contextls.ServerOptions
---@field path? string the `contextls` program, with its full path; nothing else is tried then
---@field python? string the Python that the server's environment is made with
---@field source? string what is installed: a folder with the server's source, a wheel, or a requirement for pip
---@field install? "ask"|"auto"|"never" whether the server is installed where none is found

---@class contextls.EventOptions which events this editor tells of
---@field documents? boolean which file is in front; reads, edits and saves
---@field commands? boolean `:!` commands, and `:make` with its quickfix list
---@field terminals? boolean what runs in `:terminal`
---@field diagnostics? boolean problems of every language server and linter
---@field messages? boolean errors of Neovim itself that come from a file of the project

---@class contextls.ResultOptions
---@field window? string the command that opens the window of a result

---@class contextls.Options
---@field max_tokens? integer the budget of each question
---@field settings? table<string, any> settings of the server, such as `ignore`
---@field root_markers? string[] what the root folder of a project holds
---@field register? string[] the registers that a copied context goes to
---@field server? contextls.ServerOptions
---@field events? contextls.EventOptions
---@field result? contextls.ResultOptions

---@type contextls.Options
local defaults = {
  max_tokens = 4000,
  settings = {},
  root_markers = { ".git", ".context", ".hg", ".svn" },
  register = { "+", '"' },
  server = { install = "ask" },
  events = { documents = true, commands = true, terminals = true, diagnostics = true, messages = true },
  result = { window = "botright vsplit" },
}

---@type contextls.Options
M.options = vim.deepcopy(defaults)

local INSTALL = { ask = true, auto = true, never = true }

--- Raises what is wrong with `given`, in words that name the option.
---@param given table
---@param known table
---@param prefix string
local function check_names(given, known, prefix)
  for name in pairs(given) do
    if known[name] == nil then
      local names = table.concat(vim.tbl_keys(known), ", ")
      error(("contextls: there is no option %s%s; there are: %s"):format(prefix, tostring(name), names), 0)
    end
  end
end

---@param opts contextls.Options
---@return contextls.Options
local function checked(opts)
  check_names(opts, defaults, "")
  local server = vim.tbl_extend("keep", { path = "", python = "", source = "" }, defaults.server)
  check_names(opts.server or {}, server, "server.")
  check_names(opts.events or {}, defaults.events, "events.")
  check_names(opts.result or {}, defaults.result, "result.")
  local all = vim.tbl_deep_extend("force", defaults, opts)
  local budget = all.max_tokens
  if type(budget) ~= "number" or budget < 1 or budget % 1 ~= 0 then
    error(
      ("contextls: max_tokens: expected a whole number, 1 or more, got %s"):format(vim.inspect(budget)),
      0
    )
  end
  if not INSTALL[all.server.install] then
    local got = vim.inspect(all.server.install)
    error(('contextls: server.install: expected "ask", "auto" or "never", got %s'):format(got), 0)
  end
  return all
end

--- Takes the user's options; those that are not given have their defaults. Raises what is wrong with them.
---@param opts? contextls.Options
function M.set(opts)
  M.options = checked(opts or {})
end

return M
