--- Questions, and what becomes of the answer: a result to look at, a copy in the registers, a document.
local async = require("contextls.async")
local config = require("contextls.config")
local place = require("contextls.place")
local result = require("contextls.result")
local session = require("contextls.session")

local M = {}

local ASK_AGAIN_MS = 500
--- As much of a selection as makes a question; the place says where the rest is.
local QUERY_CHARS = 1000
local MOST_WARNINGS = 3

---@alias contextls.Delivery "show"|"copy"|"document"

---@class contextls.Asked
---@field query string
---@field task? string
---@field selection? contextls.Selection
---@field changes? "staged"|"unstaged"|"all"|string a branch, a tag or a commit
---@field strategy? string
---@field textDocument? table
---@field cursor? lsp.Position

---@param context table the answer to `context/assemble`
local function is_too_early(context)
  return context.content == "" and not context.report.indexComplete
end

---@param count integer
---@return string
local function number(count)
  return (tostring(count):reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", ""))
end
M.number = number

---@param client vim.lsp.Client
---@param asked contextls.Asked
---@return table
local function params_for(client, asked)
  local bufnr = vim.api.nvim_get_current_buf()
  local params = {
    query = asked.query,
    task = asked.task,
    changes = asked.changes,
    strategy = asked.strategy,
    textDocument = asked.textDocument,
    position = asked.cursor,
    maxTokens = config.options.max_tokens,
    rootUri = vim.uri_from_fname(session.root(client)),
  }
  local inside = client.attached_buffers[bufnr] and place.is_file(bufnr)
  if inside and not asked.changes and not asked.textDocument then
    params.textDocument = { uri = vim.uri_from_bufnr(bufnr) }
    if asked.selection then
      params.range = place.range(bufnr, asked.selection, client.offset_encoding)
    else
      params.position = place.position(bufnr, place.cursor(), client.offset_encoding)
    end
  end
  return params
end

--- Assembles; while the index is so young that there is nothing to answer with, it waits. Only within `async.run`.
---@param asked contextls.Asked
---@return table context
---@return table params
---@return vim.lsp.Client
function M.assemble(asked)
  local client = session.get()
  local params = params_for(client, asked)
  local context = session.request(client, "context/assemble", params)
  local told = false
  while is_too_early(context) do
    if not told then
      vim.notify(
        "contextls: the folder is still being indexed; the question is answered as soon as there is something"
      )
      told = true
    end
    async.sleep(ASK_AGAIN_MS)
    context = session.request(client, "context/assemble", params)
  end
  return context, params, client
end

---@param context table
local function tell_copied(context)
  local said = ("contextls: context copied: %s tokens"):format(number(context.tokenCount))
  if not context.report.indexComplete then
    said = said .. "; " .. result.describe_missing(context.report)
  end
  local warnings = context.report.warnings
  if #warnings > 0 then
    said = ("%s (%s)"):format(said, table.concat(vim.list_slice(warnings, 1, MOST_WARNINGS), " · "))
  end
  -- That a scope is on is nothing to warn of.
  local wrong = vim.iter(warnings):any(function(warning)
    return not vim.startswith(warning, "scope: only ")
  end)
  vim.notify(said, wrong and vim.log.levels.WARN or vim.log.levels.INFO)
end

--- Says that there is no answer, and what a scope may have to do with it.
---@param context table
local function tell_nothing(context)
  local scope = vim.tbl_filter(function(warning)
    return warning:match("scope") ~= nil
  end, context.report.warnings)
  local why = #scope > 0 and (" (%s)"):format(table.concat(scope, " · ")) or ""
  async.fail("nothing here answers this question" .. why, vim.log.levels.INFO)
end

--- Puts a context into the registers of the user's choice; an empty one replaces nothing.
---@param context table
function M.copy(context)
  if context.content == "" then
    tell_nothing(context)
  end
  local has_clipboard = vim.fn.has("clipboard_working") == 1 or vim.fn.has("clipboard") == 1
  for _, register in ipairs(config.options.register) do
    if has_clipboard or not register:match("[+*]") then
      vim.fn.setreg(register, context.content)
    end
  end
  tell_copied(context)
end

---@param context table
---@param params table
---@param client vim.lsp.Client
---@param delivery contextls.Delivery
function M.deliver(context, params, client, delivery)
  vim.g.contextls_tokens = context.tokenCount
  if delivery == "copy" then
    M.copy(context)
  elseif context.content == "" then
    tell_nothing(context)
  else
    result.show(context, params, session.root(client), delivery == "document")
  end
end

--- Asks and delivers. Only within `async.run`.
---@param asked contextls.Asked
---@param delivery contextls.Delivery
function M.ask(asked, delivery)
  local context, params, client = M.assemble(asked)
  M.deliver(context, params, client, delivery)
end

--- The question of a command: what was typed behind it, the selection, or what the user is asked for.
---@param text string
---@param selection? contextls.Selection
---@return contextls.Asked
function M.question(text, selection)
  if text ~= "" then
    return { query = text, selection = selection }
  end
  if selection and vim.trim(selection.text) ~= "" then
    local query = vim.fn.strcharpart(vim.trim(selection.text), 0, QUERY_CHARS)
    return { query = query, task = "This is about the selected lines.", selection = selection }
  end
  local query = async.input({ prompt = "What do you want to ask? " })
  if query == "" then
    async.cancel()
  end
  return { query = query, selection = selection }
end

--- The name under the cursor as a question.
---@return contextls.Asked
function M.symbol()
  local name = vim.fn.expand("<cword>")
  if name == "" then
    async.fail("there is no symbol at the cursor", vim.log.levels.INFO)
  end
  return { query = name, task = ("This is about `%s`."):format(name) }
end

--- A code action of the server was chosen: the context that it assembles is copied.
---@param command lsp.Command
---@param given table
function M.run_code_action(command, given)
  async.run(function()
    local client = assert(vim.lsp.get_client_by_id(given.client_id))
    local params = { command = command.command, arguments = command.arguments }
    local context = session.raw_request(client, "workspace/executeCommand", params)
    vim.g.contextls_tokens = context.tokenCount
    M.copy(context)
  end)
end

return M
