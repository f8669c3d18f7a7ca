--- Problems of every language server and linter: the server hears all diagnostics of each document that changed, and
--- makes events of what appeared and what is gone.
local events = require("contextls.events")
local place = require("contextls.place")

local M = {}

--- Checkers report in bursts; the server itself waits until a set held still.
local BURST_MS = 300
local MOST_OF_A_DOCUMENT = 500

---@type table<integer, true>
local changed = {}
---@type table<integer, true>
local told = {}
local timer = assert(vim.uv.new_timer())

--- As the protocol has them; the worst first, where they are too many.
---@param bufnr integer
---@param encoding string
---@return lsp.Diagnostic[]
local function problems_of(bufnr, encoding)
  local all = vim.diagnostic.get(bufnr)
  table.sort(all, function(one, other)
    return one.severity < other.severity
  end)
  return vim.tbl_map(function(problem)
    local first, last = problem.lnum, problem.end_lnum or problem.lnum
    local selection = {
      text = "",
      from = { line = first + 1, byte = problem.col },
      to = { line = last + 1, byte = problem.end_col or problem.col },
    }
    return {
      range = place.range(bufnr, selection, encoding),
      severity = problem.severity,
      message = problem.message,
      source = problem.source,
      code = problem.code,
    }
  end, vim.list_slice(all, 1, MOST_OF_A_DOCUMENT))
end

---@param bufnr integer
local function tell(bufnr)
  for _, client in ipairs(vim.lsp.get_clients({ name = "contextls", bufnr = bufnr })) do
    local problems = problems_of(bufnr, client.offset_encoding)
    if #problems > 0 or told[bufnr] then
      told[bufnr] = #problems > 0 or nil
      local uri = vim.uri_from_bufnr(bufnr)
      events.notify(client, "context/didChangeDiagnostics", { uri = uri, diagnostics = problems })
    end
  end
end

local function tell_changed()
  for bufnr in pairs(changed) do
    changed[bufnr] = nil
    if vim.api.nvim_buf_is_loaded(bufnr) and place.is_file(bufnr) then
      tell(bufnr)
    end
  end
end

---@param bufnr integer
local function note(bufnr)
  changed[bufnr] = true
  timer:start(BURST_MS, 0, vim.schedule_wrap(tell_changed))
end

--- A server that was started knows nothing yet.
---@param client vim.lsp.Client
function M.tell_all(client)
  for bufnr in pairs(client.attached_buffers) do
    note(bufnr)
  end
end

---@param group integer
function M.follow(group)
  vim.api.nvim_create_autocmd({ "DiagnosticChanged", "LspAttach" }, {
    group = group,
    callback = function(args)
      note(args.buf)
    end,
  })
end

return M
