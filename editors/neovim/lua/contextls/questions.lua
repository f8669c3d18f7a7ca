--- Questions that the editor asks for the user: the last failure, a review, the problem at the cursor.
local ask = require("contextls.ask")
local async = require("contextls.async")
local result = require("contextls.result")
local session = require("contextls.session")

local M = {}

--- The server says instead of this which failure that is, if there is one.
local LAST_FAILURE = "Fix the last failure."
local LINE_CHARS = 300
local MOST_LINES = 12
local FEWEST_TELLING = 2
--- Lines that say what is wrong, or where.
local TELLING =
  vim.regex([[\cerror\|exception\|fail\|panic\|assert\|fatal\|not found\|cannot\|undefined\|\w:\d\+]])

--- Shows an earlier context; with a question, its context as a document in the current window.
---@param text string
---@param selection? contextls.Selection
function M.open(text, selection)
  if text ~= "" then
    ask.ask({ query = text, selection = selection }, "document")
    return
  end
  if #result.kept == 0 then
    async.fail("there is no earlier context; :Context ask makes one", vim.log.levels.INFO)
  end
  local chosen = result.kept[1]
  if #result.kept > 1 then
    chosen = async.select(result.kept, { prompt = "Show which context?", format_item = result.title })
  end
  result.open(chosen, false)
end

---@param context table
---@return boolean
local function holds_changes(context)
  local all = vim.list_extend(vim.list_extend({}, context.components), context.report.omitted)
  return vim.iter(all):any(function(piece)
    return piece.type == "recent" and piece.source:match(":%d+%-%d+$") ~= nil
  end)
end

--- How the uncommitted changes of a kind are spoken of; those since a branch, a tag or a commit otherwise.
local SPOKEN_OF = { all = "changes", staged = "staged changes", unstaged = "unstaged changes" }

--- Assembles what a review of changes needs.
---@param which string a kind of uncommitted changes; or the branch, tag or commit since which all is reviewed
---@param delivery contextls.Delivery
function M.review(which, delivery)
  which = which == "" and "all" or which
  local spoken = SPOKEN_OF[which] or ("changes since %s"):format(which)
  local context, params, client =
    ask.assemble({ query = ("Review my %s."):format(spoken), changes = which, strategy = "review" })
  if not holds_changes(context) then
    async.fail(("there are no %s to review"):format(spoken), vim.log.levels.INFO)
  end
  ask.deliver(context, params, client, delivery)
end

--- The last lines that tell of an error; the last lines of all where hardly any does.
---@param output string
---@return string[]
local function telling_lines(output)
  local filled, telling = {}, {}
  for line in vim.gsplit(output, "\r?\n") do
    line = vim.fn.strcharpart(line, 0, LINE_CHARS)
    if vim.trim(line) ~= "" then
      table.insert(filled, line)
      if TELLING:match_str(line) then
        table.insert(telling, line)
      end
    end
  end
  local lines = #telling >= FEWEST_TELLING and telling or filled
  return vim.list_slice(lines, math.max(1, #lines - MOST_LINES + 1))
end

--- The question that an event stands for.
---@param event table
---@param root string
---@return contextls.Asked
function M.for_event(event, root)
  local content = event.content
  local failed = event.outcome == "failure" or event.type == "error" or event.type == "diagnostic"
  local path = event.type ~= "shell_exec" and content.path or nil
  local line = tonumber(content.line or content.startLine)
  local asked = { strategy = failed and "debug" or nil }
  if path then
    asked.textDocument = { uri = vim.uri_from_fname(vim.fs.joinpath(root, path)) }
    asked.cursor = line and { line = math.max(0, line - 1), character = 0 } or nil
  end
  if event.type == "shell_exec" and content.command then
    local output = table.concat({ content.stdout or "", content.stderr or "" }, "\n")
    local head = ("Fix the error: the command `%s` failed."):format(content.command)
    asked.query = failed and table.concat({ head, unpack(telling_lines(output)) }, "\n")
      or ("What does `%s` run, and what did it show?"):format(content.command)
  elseif content.message then
    local at = path and (" at %s%s"):format(path, line and ":" .. line or "") or ""
    asked.query = ("Fix the error: %s%s"):format(content.message, at)
  elseif path then
    asked.query = ("How does %s work, and what was done with it?"):format(path)
  else
    asked.query = content.text or content.subject or event.text
  end
  return asked
end

--- Assembles what the last failure needs that is still to be fixed.
---@param delivery contextls.Delivery
function M.failure(delivery)
  session.get()
  require("contextls.events").settle()
  local context, params, client = ask.assemble({ query = LAST_FAILURE, strategy = "debug" })
  if vim.startswith(context.content, LAST_FAILURE) then
    async.fail("no failure is remembered that is still to be fixed", vim.log.levels.INFO)
  end
  ask.deliver(context, params, client, delivery)
end

--- The problems of the cursor's line, else those of the file, the worst first.
---@return vim.Diagnostic[]
local function problems_here()
  local problems = vim.diagnostic.get(0, { lnum = vim.fn.line(".") - 1 })
  problems = #problems > 0 and problems or vim.diagnostic.get(0)
  table.sort(problems, function(one, other)
    return one.severity < other.severity or (one.severity == other.severity and one.lnum < other.lnum)
  end)
  return problems
end

--- Assembles what a problem at the cursor needs.
---@param delivery contextls.Delivery
function M.problem(delivery)
  local problems = problems_here()
  if #problems == 0 then
    async.fail("there is no problem in this file", vim.log.levels.INFO)
  end
  local problem = #problems == 1 and problems[1]
    or async.select(problems, {
      prompt = "Context for which problem?",
      format_item = function(each)
        return ("%d: %s"):format(each.lnum + 1, (each.message:gsub("%s+", " ")))
      end,
    })
  local message = vim.trim((problem.message:gsub("%s+", " ")))
  local line = vim.trim(vim.api.nvim_buf_get_lines(0, problem.lnum, problem.lnum + 1, false)[1] or "")
  local path = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ":.")
  local last = (problem.end_lnum or problem.lnum) + 1
  local past = problem.end_col or #(vim.fn.getline(last))
  ask.ask({
    query = ("%s at: %s"):format(message, line),
    task = ("Fix this problem: %s at `%s:%d`"):format(message, path, problem.lnum + 1),
    selection = {
      text = line,
      from = { line = problem.lnum + 1, byte = problem.col },
      to = { line = last, byte = past },
    },
  }, delivery)
end

return M
