--- Work that waits: for the server, for a program, for the user. It reads from top to bottom, and its failures are told
--- in one place.
local M = {}

--- What the user must know; it ends the work that raised it.
---@class contextls.Failure
---@field told string
---@field level integer

--- Ends the work at hand with a message for the user.
---@param message string
---@param level? integer one of `vim.log.levels`; an error when absent
function M.fail(message, level)
  error({ told = message, level = level or vim.log.levels.ERROR } --[[@as contextls.Failure]], 0)
end

--- Ends the work at hand without a word: the user dismissed a question.
function M.cancel()
  error({ told = "", level = vim.log.levels.OFF }, 0)
end

---@param problem contextls.Failure|string
local function tell(problem)
  if type(problem) ~= "table" then
    vim.notify("contextls: " .. tostring(problem), vim.log.levels.ERROR)
  elseif problem.told ~= "" then
    vim.notify("contextls: " .. problem.told, problem.level)
  end
end

--- Runs `work`, which may call `await`. Whatever it raises becomes one message.
---@param work fun()
function M.run(work)
  local thread = coroutine.create(work)
  local function step(...)
    local ok, start = coroutine.resume(thread, ...)
    if not ok then
      tell(type(start) == "table" and start or debug.traceback(thread, start))
    elseif coroutine.status(thread) ~= "dead" then
      start(vim.schedule_wrap(step))
    end
  end
  step()
end

--- Starts something and waits until it calls `done`; answers what `done` was given. Only within `run`.
---@param start fun(done: fun(...: any))
---@return any ...
function M.await(start)
  return coroutine.yield(start)
end

---@param ms integer
function M.sleep(ms)
  M.await(function(done)
    vim.defer_fn(done, ms)
  end)
end

--- What the user types; ends the work when the box is dismissed.
---@param opts table as for `vim.ui.input`
---@return string
function M.input(opts)
  local text = M.await(function(done)
    vim.ui.input(opts, done)
  end)
  if text == nil then
    M.cancel()
  end
  return vim.trim(text)
end

--- What the user chooses; ends the work when the list is dismissed.
---@generic T
---@param items T[]
---@param opts table as for `vim.ui.select`
---@return T
function M.select(items, opts)
  local item = M.await(function(done)
    vim.ui.select(items, opts, done)
  end)
  if item == nil then
    M.cancel()
  end
  return item
end

--- Runs a program to its end.
---@param command string[]
---@param opts? table as for `vim.system`
---@return vim.SystemCompleted
function M.system(command, opts)
  return M.await(function(done)
    local ok, problem = pcall(vim.system, command, opts or {}, done)
    if not ok then
      done({ code = 127, signal = 0, stdout = "", stderr = tostring(problem) })
    end
  end)
end

return M
