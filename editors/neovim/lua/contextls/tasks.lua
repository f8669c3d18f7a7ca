--- What is being worked on, and notes that later prompts know.
local async = require("contextls.async")
local session = require("contextls.session")

local M = {}

local NEW, DONE, BLOCK = "Begin a task…", "Complete the current task…", "Set the current task aside…"

---@param goal string
function M.push(goal)
  goal = goal ~= "" and goal or async.input({ prompt = "What is it that you want to reach? " })
  if goal == "" then
    async.cancel()
  end
  local answer = session.request(session.get(), "context/task/push", { goal = goal })
  vim.notify("contextls: task begun: " .. answer.task.goal)
end

---@param client vim.lsp.Client
---@return table? current
---@return table[] tasks
local function listed(client)
  local answer = session.request(client, "context/task/list")
  local current = vim.iter(answer.tasks):find(function(task)
    return task.id == answer.current
  end)
  return current, answer.tasks
end

---@param client vim.lsp.Client
---@return table
local function current_task(client)
  local current = listed(client)
  if not current then
    async.fail("no task is being worked on", vim.log.levels.INFO)
  end
  return current --[[@as table]]
end

---@param result string
function M.pop(result)
  local client = session.get()
  local task = current_task(client)
  if result == "" then
    result = async.input({ prompt = ("What came of “%s”? "):format(task.goal) })
  end
  local params = { result = result ~= "" and result or nil }
  local answer = session.request(client, "context/task/pop", params)
  local back = answer.current and ("; back to: " .. answer.current.goal) or ""
  vim.notify("contextls: task complete: " .. answer.task.goal .. back)
end

---@param reason string
function M.block(reason)
  local client = session.get()
  local task = current_task(client)
  if reason == "" then
    reason = async.input({ prompt = ("Why can “%s” not go on? "):format(task.goal) })
  end
  session.request(client, "context/task/block", { reason = reason ~= "" and reason or nil })
  vim.notify("contextls: task set aside: " .. task.goal)
end

function M.resume()
  local client = session.get()
  local _, tasks = listed(client)
  local blocked = vim.tbl_filter(function(task)
    return task.status == "blocked"
  end, tasks)
  if #blocked == 0 then
    async.fail("no task was set aside", vim.log.levels.INFO)
  end
  local task = blocked[1]
  if #blocked > 1 then
    task = async.select(blocked, {
      prompt = "Go on with which task?",
      format_item = function(each)
        return each.goal
      end,
    })
  end
  session.request(client, "context/task/resume", { id = task.id })
  vim.notify("contextls: task resumed: " .. task.goal)
end

--- What can be done about tasks now.
function M.choose()
  local current, tasks = listed(session.get())
  local blocked = vim.iter(tasks):any(function(task)
    return task.status == "blocked"
  end)
  local items = { NEW }
  if current then
    vim.list_extend(items, { DONE, BLOCK })
  end
  if blocked then
    table.insert(items, "Go on with a task that was set aside…")
  end
  local prompt = current and ("Task: %s"):format(current.goal) or "No task is being worked on"
  local choice = async.select(items, { prompt = prompt })
  if choice == NEW then
    M.push("")
  elseif choice == DONE then
    M.pop("")
  elseif choice == BLOCK then
    M.block("")
  else
    M.resume()
  end
end

--- Begins a task, or does what the first word says.
---@param text string
function M.run(text)
  local word, rest = text:match("^(%S*)%s*(.*)$")
  if word == "" then
    M.choose()
  elseif word == "pop" then
    M.pop(rest)
  elseif word == "block" then
    M.block(rest)
  elseif word == "resume" then
    M.resume()
  else
    M.push(word == "push" and rest or text)
  end
end

--- Records a note.
---@param text string
function M.note(text)
  local client = session.get()
  if require("contextls.pause").is_paused(session.root(client)) then
    async.fail("memory is paused, so no note was taken; :Context pause goes on", vim.log.levels.WARN)
  end
  text = text ~= "" and text or async.input({ prompt = "What should later prompts know? " })
  if text == "" then
    async.cancel()
  end
  local answer = session.request(client, "context/recordEvent", { type = "note", content = { text = text } })
  if answer.id == nil then
    async.fail("the note was not kept: " .. (answer.reason or "the server gave no reason"))
  end
  vim.notify("contextls: note recorded")
end

return M
