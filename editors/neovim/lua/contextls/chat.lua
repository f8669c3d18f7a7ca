--- Context for chat plugins: they send the question to a model themselves, so it is left out.
local async = require("contextls.async")
local compat = require("contextls.compat")
local config = require("contextls.config")
local session = require("contextls.session")

local M = {}

local ANSWER_MS = 10000

--- What a model is told of a tool that asks.
M.DESCRIPTION = "Finds what this project has on a question: the code with its tests and callers, the last failure, "
  .. "uncommitted changes and what was done lately. Ask in plain words, as you would ask a colleague."

---@param client vim.lsp.Client
---@param query string
---@return table
local function params_for(client, query)
  return {
    query = query,
    taskLine = false,
    maxTokens = config.options.max_tokens,
    rootUri = vim.uri_from_fname(session.root(client)),
  }
end

--- Asks for the context of a question; `done` gets it, or nil and what is wrong.
---@param query string
---@param done fun(content: string?, problem: string?)
function M.context(query, done)
  async.run(function()
    local ok, answer = pcall(function()
      local client = session.get()
      return session.request(client, "context/assemble", params_for(client, query)).content
    end)
    if not ok then
      done(nil, type(answer) == "table" and answer.told or tostring(answer))
    elseif answer == "" then
      done(nil, "nothing in this project answers that question")
    else
      done(answer)
    end
  end)
end

--- The same for callers that cannot wait: nil where no server runs yet, or none answers.
---@param query string
---@return string?
function M.context_now(query)
  local client = session.current()
  if not client or not client.initialized then
    return nil
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local answer =
    compat.call(client, "request_sync", "context/assemble", params_for(client, query), ANSWER_MS, bufnr)
  local content = answer and answer.result and answer.result.content
  return content ~= "" and content or nil
end

return M
