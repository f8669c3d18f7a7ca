--- Errors that Neovim shows in `:messages`: those that come from a file of an open project, with its line.
local events = require("contextls.events")
local session = require("contextls.session")

local M = {}

---@type string the error that was looked at last
local seen = ""

--- A path as a trace has it, which leaves out the beginning of a long one.
---@param written string
---@param root string
---@return string? path relative to `root`, where it is of a file there
local function inside(written, root)
  local whole = written:gsub("^%.%.%.", "")
  for at in whole:gmatch("()/") do
    local before, rest = whole:sub(1, at - 1), whole:sub(at + 1)
    local is_root = before == root or (whole ~= written and before ~= "" and vim.endswith(root, before))
    if is_root and vim.uv.fs_stat(root .. "/" .. rest) then
      return rest
    end
  end
end

--- The innermost place of a trace that lies in an open project.
---@param message string
---@return vim.lsp.Client? client
---@return string? path relative to the project
---@return integer? line
local function place_of(message)
  for written, line in message:gmatch("([^:\n]+):(%d+):") do
    for _, client in ipairs(session.clients()) do
      local path = inside(vim.trim(written), session.root(client))
      if path then
        return client, path, tonumber(line)
      end
    end
  end
end

local function look()
  local message = vim.v.errmsg
  if message == seen then
    return
  end
  seen = message
  local client, path, line = place_of(message)
  if client then
    events.record(client, {
      type = "error",
      rootUri = vim.uri_from_fname(session.root(client)),
      content = { message = message, path = path, line = line, source = "neovim" },
    })
  end
end

---@param group integer
function M.follow(group)
  seen = vim.v.errmsg
  vim.api.nvim_create_autocmd("SafeState", { group = group, callback = look })
end

return M
