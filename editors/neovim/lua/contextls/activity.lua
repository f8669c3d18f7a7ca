--- The activity of a project: working set, tasks, patterns, and what happened, newest first. It follows the memory.
local async = require("contextls.async")
local config = require("contextls.config")
local jump = require("contextls.jump")
local outline = require("contextls.outline")
local session = require("contextls.session")

local M = {}

local MOST_EVENTS = 200
local MOST_PATTERNS = 10
local MARKS = { complete = "✓", blocked = "⏸", active = "▶" }

---@class contextls.Activity
---@field client vim.lsp.Client
---@field events table<integer, table> by line

---@type table<integer, contextls.Activity> by buffer
local views = {}

---@param view table the answer to `context/workingSet/list`
---@return string[]
local function working_set_lines(view)
  local pins = require("contextls.pins")
  local lines = {}
  for _, entry in ipairs(view.files) do
    local problem = entry.problem and (" — %s"):format(entry.problem) or ""
    table.insert(
      lines,
      ("- `%s` %.2g%s%s"):format(pins.entry_name(entry), entry.priority, problem, pins.owner(entry))
    )
  end
  for _, entry in ipairs(view.excluded) do
    table.insert(lines, ("- excluded: `%s`"):format(pins.entry_name(entry)))
  end
  for _, entry in ipairs(view.server) do
    table.insert(lines, ("- `%s` %.2g — by the server: %s"):format(entry.text, entry.priority, entry.why))
  end
  return lines
end

---@param tasks table[]
---@return string[]
local function task_lines(tasks)
  return vim.tbl_map(function(task)
    local result = task.result and " — " .. task.result or ""
    local line = ("%s- %s %s%s"):format(("  "):rep(task.depth), MARKS[task.status] or "·", task.goal, result)
    return (line:gsub("\n", " "))
  end, tasks)
end

---@param event table
---@return string
local function event_line(event)
  local mark = (event.outcome == "failure" or event.type == "error") and "✗" or " "
  local time = os.date("%H:%M:%S", math.floor(event.timestamp / 1000))
  return ("- %s %s %s"):format(time, mark, (event.text:gsub("\n", " ")))
end

---@param client vim.lsp.Client
---@return string[] lines
---@return table<integer, table> events by line
local function read(client)
  local set = session.request(client, "context/workingSet/list")
  local tasks = session.request(client, "context/task/list").tasks
  local patterns = session.request(client, "context/patterns", { limit = MOST_PATTERNS }).patterns
  local events = session.request(client, "context/events", { limit = MOST_EVENTS }).events
  local lines, by_line = { "# Activity of " .. vim.fs.basename(session.root(client)) }, {}
  local function section(title, items, none)
    vim.list_extend(lines, { "", "## " .. title, "" })
    vim.list_extend(lines, #items > 0 and items or { none })
  end
  section(
    "Working Set",
    working_set_lines(set),
    "Nothing is pinned: `:Context pin` puts this file into every prompt."
  )
  section("Tasks", task_lines(tasks), "No task: `:Context task GOAL` says what you are working on.")
  section("Events", {}, events[1] and "" or "Nothing is remembered yet.")
  local day
  for _, event in ipairs(events) do
    local of_day = os.date("%Y-%m-%d", math.floor(event.timestamp / 1000))
    if of_day ~= day then
      day = of_day
      vim.list_extend(lines, { "### " .. day, "" })
    end
    table.insert(lines, event_line(event))
    by_line[#lines] = event
  end
  local habits = vim.tbl_map(function(pattern)
    return ("- %s (%d of %d %s)"):format(
      pattern.description,
      pattern.successes,
      pattern.applications,
      pattern.unit
    )
  end, patterns)
  section("Patterns", habits, "No habit is known yet.")
  return lines, by_line
end

---@param bufnr integer
local function render(bufnr)
  local lines, events = read(views[bufnr].client)
  if not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  views[bufnr].events = events
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  outline.attach(bufnr)
end

--- Where the cursor's event happened, if that is in a file.
---@param view contextls.Activity
local function open_at_cursor(view)
  local event = view.events[vim.fn.line(".")]
  local content = event and event.content or {}
  if content.path and event.type ~= "shell_exec" then
    local path = vim.fs.joinpath(session.root(view.client), content.path)
    require("contextls.place").open(path, tonumber(content.line or content.startLine))
  elseif event then
    async.run(function()
      local asked = require("contextls.questions").for_event(event, session.root(view.client))
      require("contextls.ask").ask(asked, "show")
    end)
  else
    jump.open_at_cursor(session.root(view.client))
  end
end

---@param bufnr integer
local function map_keys(bufnr)
  local open = {
    desc = "open the file of the event, or the context for it",
    work = function()
      open_at_cursor(views[bufnr])
    end,
  }
  local copy = {
    desc = "copy the context for the event",
    work = function()
      local event = views[bufnr].events[vim.fn.line(".")]
      if event then
        async.run(function()
          local asked = require("contextls.questions").for_event(event, session.root(views[bufnr].client))
          require("contextls.ask").ask(asked, "copy")
        end)
      end
    end,
  }
  outline.map_keys(bufnr, "activity", "section", { ["<CR>"] = open, gf = open, gy = copy })
end

---@param client vim.lsp.Client
---@return integer
local function new_buffer(client)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, ("contextls://activity/%s"):format(vim.fs.basename(session.root(client))))
  vim.b[bufnr].contextls_root = session.root(client)
  vim.bo[bufnr].bufhidden = "wipe"
  views[bufnr] = { client = client, events = {} }
  map_keys(bufnr)
  local following = vim.api.nvim_create_autocmd("User", {
    pattern = "ContextlsMemory",
    callback = function(args)
      if vim.uri_to_fname(args.data.rootUri) == session.root(client) then
        async.run(function()
          render(bufnr)
        end)
      end
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = bufnr,
    callback = function()
      views[bufnr] = nil
      vim.api.nvim_del_autocmd(following)
    end,
  })
  return bufnr
end

--- Shows the activity. Only within `async.run`.
function M.show()
  local client = session.get()
  local open = vim.iter(pairs(views)):find(function(_, view)
    return view.client.id == client.id
  end)
  local win = open and vim.fn.win_findbuf(open)[1]
  if win then
    vim.api.nvim_set_current_win(win)
    render(open)
    return
  end
  local bufnr = new_buffer(client)
  render(bufnr)
  vim.cmd(config.options.result.window)
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.bo[bufnr].filetype = "markdown"
  outline.dress(vim.api.nvim_get_current_win())
end

return M
