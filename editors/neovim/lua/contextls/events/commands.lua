--- Commands that Neovim runs itself: `:!`, and `:make` and `:grep` with what their quickfix list says.
local events = require("contextls.events")

local M = {}

--- The server reads this much for failures.
local MOST_OUTPUT = 128 * 1024

---@class contextls.Typed
---@field line string
---@field at integer

---@type contextls.Typed? the command line that was entered last
local typed
---@type boolean whether the quickfix command that just ended was told of already
local told = false

--- What `:make` runs.
---@param arguments string
---@return string
local function make_command(arguments)
  local program = vim.bo.makeprg ~= "" and vim.bo.makeprg or vim.o.makeprg
  local expanded = program:find("%$%*") and program:gsub("%$%*", function()
    return arguments
  end) or (program .. " " .. arguments)
  return vim.trim(vim.fn.expandcmd(expanded))
end

--- One entry of a quickfix list, as the compiler wrote it.
---@param entry table
---@return string
local function entry_line(entry)
  if entry.valid ~= 1 or entry.bufnr == 0 then
    return entry.text
  end
  local place = ("%s:%d:%s"):format(
    vim.fn.fnamemodify(vim.api.nvim_buf_get_name(entry.bufnr), ":."),
    entry.lnum,
    entry.col > 0 and entry.col .. ":" or ""
  )
  local kinds = { e = "error: ", w = "warning: ", n = "note: " }
  return ("%s %s%s"):format(place, kinds[entry.type:lower()] or "", vim.trim(entry.text))
end

--- Whether an entry whose kind is not told says itself that it is a warning: "DeprecationWarning: …", "warning: …".
---@param text string
---@return boolean
local function is_warning(text)
  return text:match("^%s*%w*[Ww]arning%f[%W]") ~= nil
end

---@param entries table[]
---@return boolean
local function tells_of_errors(entries)
  return vim.iter(entries):any(function(entry)
    local kind = entry.type:lower()
    local is_error = entry.valid == 1 and (kind == "e" or (kind == "" and not is_warning(entry.text)))
    return is_error or entry.text:match("^%S*make[^:]*: %*%*%* ") ~= nil
  end)
end

--- `:make` ended. Its exit status says little: with the usual 'shellpipe' it is that of `tee`.
---@param is_local boolean
local function record_make(is_local)
  local list = is_local and vim.fn.getloclist(0, { items = 0, title = 0 })
    or vim.fn.getqflist({ items = 0, title = 0 })
  local arguments = (list.title or ""):match("^:?%s*l?make?!?%s*(.*)$") or ""
  local lines = vim.tbl_map(entry_line, list.items)
  local status = vim.v.shell_error
  events.record_command({
    command = make_command(arguments),
    cwd = vim.fn.getcwd(),
    exit_code = status ~= 0 and status or nil,
    failed = status == 0 and tells_of_errors(list.items) or nil,
    began = typed and typed.at,
    output = table.concat(lines, "\n"):sub(-MOST_OUTPUT),
  })
end

---@return string? what `:!` ran
local function bang_command()
  local ok, parsed = pcall(vim.api.nvim_parse_cmd, typed and typed.line or "", {})
  if ok and parsed.cmd == "!" and (not parsed.range or #parsed.range == 0) then
    return vim.fn.expandcmd(table.concat(parsed.args, " "))
  end
end

---@param group integer
function M.follow(group)
  vim.api.nvim_create_autocmd("CmdlineLeave", {
    group = group,
    pattern = ":",
    callback = function()
      if not vim.v.event.abort then
        typed = { line = vim.fn.getcmdline(), at = events.now() }
        told = false
      end
    end,
  })
  vim.api.nvim_create_autocmd("QuickFixCmdPost", {
    group = group,
    pattern = { "make", "lmake" },
    callback = function(args)
      record_make(args.match == "lmake")
    end,
  })
  vim.api.nvim_create_autocmd("ShellCmdPost", {
    group = group,
    callback = function()
      local command = not told and bang_command()
      if command then
        told = true
        local status = vim.v.shell_error
        events.record_command({
          command = command,
          cwd = vim.fn.getcwd(),
          exit_code = status,
          began = typed.at,
        })
      end
    end,
  })
end

return M
