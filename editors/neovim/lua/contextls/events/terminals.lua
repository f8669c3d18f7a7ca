--- What runs in `:terminal`: a program that it was opened for, and the commands of a shell that marks them (OSC 133).
---
--- A shell marks where its prompt ends (B), where output begins (C) and with which status a command ended (D). Marks of
--- the terminal's buffer keep these places while lines scroll out. A command without a status is not recorded: an
--- invented one would be a failure or a success that never was.
local events = require("contextls.events")

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace("contextls.terminals")
local MOST_OUTPUT = 128 * 1024
--- The screen is drawn a moment after the shell wrote.
local DRAWN_MS = 60

--- A place on the screen of a terminal, which is drawn into the buffer a moment later.
---@class contextls.Mark
---@field line integer from 0
---@field cell integer
---@field id? integer keeps the line while others scroll out

---@class contextls.Shell
---@field prompt? contextls.Mark where the command line begins
---@field output? contextls.Mark where its output begins
---@field command? string what the shell itself says that it runs
---@field began? integer
---@field cwd? string

---@type table<integer, contextls.Shell> by buffer
local shells = {}

---@param bufnr integer
---@param cursor integer[] line from 1, cell from 0
---@return contextls.Mark
local function mark(bufnr, cursor)
  local made = { line = cursor[1] - 1, cell = cursor[2] }
  vim.defer_fn(function()
    if vim.api.nvim_buf_is_valid(bufnr) and made.line < vim.api.nvim_buf_line_count(bufnr) then
      made.id = vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, made.line, 0, {})
    end
  end, DRAWN_MS)
  return made
end

--- How many bytes of a text stand in its first cells.
---@param text string
---@param cells integer
---@return integer
local function bytes_in(text, cells)
  local width = 0
  for _, start in ipairs(vim.str_utf_pos(text)) do
    if width >= cells then
      return start - 1
    end
    local character = text:sub(start, start + vim.str_utf_end(text, start))
    width = width + vim.fn.strdisplaywidth(character, width)
  end
  return #text
end

---@param bufnr integer
---@param made contextls.Mark
---@return integer line from 0
---@return integer byte
local function place_of(bufnr, made)
  local kept = made.id and vim.api.nvim_buf_get_extmark_by_id(bufnr, NAMESPACE, made.id, {})
  local line = kept and kept[1] or made.line
  local text = vim.api.nvim_buf_get_lines(bufnr, line, line + 1, false)[1] or ""
  return line, bytes_in(text, made.cell)
end

---@param bufnr integer
---@param from contextls.Mark
---@param to contextls.Mark
---@return string
local function between(bufnr, from, to)
  local first, start = place_of(bufnr, from)
  local last, past = place_of(bufnr, to)
  local ok, lines = pcall(vim.api.nvim_buf_get_text, bufnr, first, start, last, past, {})
  return ok and table.concat(lines, "\n") or ""
end

--- Where the terminal was opened.
---@param bufnr integer
---@return string
local function opened_in(bufnr)
  local cwd = vim.api.nvim_buf_get_name(bufnr):match("^term://(.-)//%d+:")
  return cwd and vim.fs.normalize(cwd) or vim.fn.getcwd()
end

--- The current folder of the shell, where the system tells it.
---@param bufnr integer
---@return string
local function folder_of(bufnr)
  local pid = vim.b[bufnr].terminal_job_pid
  return pid and vim.uv.fs_readlink(("/proc/%d/cwd"):format(pid)) or opened_in(bufnr)
end

--- The file by which the hook in a shell (`contextls hook bash`) knows that its commands are recorded here.
---@param bufnr integer
---@return string?
local function sign_for(bufnr)
  local pid, address = vim.b[bufnr].terminal_job_pid, vim.v.servername
  return pid and vim.startswith(address, "/") and ("%s.contextls.%d"):format(address, pid) or nil
end

---@param bufnr integer
---@param recorded boolean
local function tell_hook(bufnr, recorded)
  local sign = sign_for(bufnr)
  if sign and recorded ~= (vim.uv.fs_stat(sign) ~= nil) then
    if recorded then
      pcall(vim.fn.writefile, {}, sign)
    else
      vim.uv.fs_unlink(sign)
    end
  end
end

---@param bufnr integer
---@param cursor integer[]
---@param status? integer
local function ended(bufnr, cursor, status)
  local shell = shells[bufnr]
  shells[bufnr] = {}
  if not (shell.prompt or shell.command) or not shell.output or not status then
    return
  end
  local last = mark(bufnr, cursor)
  vim.defer_fn(function()
    if vim.api.nvim_buf_is_valid(bufnr) then
      local command = (shell.command or between(bufnr, shell.prompt, shell.output)):gsub("%s*\n%s*", " ")
      if not command:match("^%s") then
        events.record_command({
          command = command,
          cwd = shell.cwd or opened_in(bufnr),
          exit_code = status,
          began = shell.began,
          output = vim.trim(between(bufnr, shell.output, last)):sub(-MOST_OUTPUT),
        })
      end
      for _, each in pairs({ shell.prompt or last, shell.output, last }) do
        if each.id then
          vim.api.nvim_buf_del_extmark(bufnr, NAMESPACE, each.id)
        end
      end
    end
  end, 2 * DRAWN_MS)
end

---@param bufnr integer
---@param kind string
---@param rest string
---@param cursor integer[]
local function heard(bufnr, kind, rest, cursor)
  local shell = shells[bufnr] or {}
  shells[bufnr] = shell
  if kind == "B" or kind == "C" then
    tell_hook(bufnr, events.listens(folder_of(bufnr)))
  end
  if kind == "B" then
    shell.prompt = mark(bufnr, cursor)
  elseif kind == "C" then
    shell.output, shell.began, shell.cwd = mark(bufnr, cursor), events.now(), folder_of(bufnr)
    local said = rest:match(";cmdline_url=([^;]+)") -- fish 4 and kitty
    shell.command = said and vim.uri_decode(said) or nil
  elseif kind == "D" then
    ended(bufnr, cursor, tonumber(rest:match("^;(%d+)")))
  end
end

--- The program that a terminal was opened for; nil for the user's shell.
---@param bufnr integer
---@return string?
local function program_of(bufnr)
  local command = vim.api.nvim_buf_get_name(bufnr):match("^term://.-//%d+:(.*)$") or ""
  local shell = vim.fs.basename(vim.o.shell:match("^%S+") or "")
  local program = vim.fs.basename(command:match("^%S+") or "")
  local is_shell = program == shell
    or vim.list_contains({ "bash", "zsh", "fish", "sh", "nu", "pwsh" }, program)
  return command ~= "" and not is_shell and command or nil
end

---@param group integer
function M.follow(group)
  vim.api.nvim_create_autocmd("TermRequest", {
    group = group,
    callback = function(args)
      local data = type(args.data) == "table" and args.data or {} -- before 0.11 it does not say where
      local kind, rest = (data.sequence or ""):match("^\27%]133;(%u)(.*)$")
      if kind and data.cursor then
        heard(args.buf, kind, rest, data.cursor)
      end
    end,
  })
  vim.api.nvim_create_autocmd("TermOpen", {
    group = group,
    callback = function(args)
      vim.b[args.buf].contextls_began = events.now()
    end,
  })
  vim.api.nvim_create_autocmd("VimLeavePre", {
    group = group,
    callback = function()
      for bufnr in pairs(shells) do
        tell_hook(bufnr, false)
      end
    end,
  })
  vim.api.nvim_create_autocmd("TermClose", {
    group = group,
    callback = function(args)
      local status, command = vim.v.event.status, program_of(args.buf)
      shells[args.buf] = nil
      tell_hook(args.buf, false)
      if command and status and status >= 0 then
        local lines = vim.api.nvim_buf_get_lines(args.buf, 0, -1, false)
        events.record_command({
          command = command,
          cwd = opened_in(args.buf),
          exit_code = status,
          began = vim.b[args.buf].contextls_began,
          output = vim.trim(table.concat(lines, "\n")):sub(-MOST_OUTPUT),
        })
      end
    end,
  })
end

return M
