--- How things stand: in one word for a statusline, in lines for a window.
local async = require("contextls.async")
local compat = require("contextls.compat")
local session = require("contextls.session")

local M = {}

---@type string? what the server says of its progress
local progress

--- Follows the progress of the server; the statusline is drawn again where it changes.
function M.follow()
  vim.api.nvim_create_autocmd("LspProgress", {
    group = vim.api.nvim_create_augroup("contextls.status", {}),
    callback = function(args)
      local client = vim.lsp.get_client_by_id(args.data.client_id)
      if not client or client.name ~= "contextls" then
        return
      end
      local value = args.data.params.value
      progress = value.kind ~= "end" and (value.percentage and value.percentage .. " %" or "indexing") or nil
      vim.cmd.redrawstatus()
    end,
  })
end

---@return string
function M.statusline()
  local client = session.current()
  if not client then
    return ""
  end
  if require("contextls.pause").is_paused(session.root(client)) then
    return "contextls: paused"
  end
  if not client.initialized then
    return "contextls …"
  end
  if progress then
    return "contextls " .. progress
  end
  local tokens = vim.g.contextls_tokens
  return tokens and ("contextls %s tokens"):format(require("contextls.ask").number(tokens)) or "contextls"
end

---@type table<string, string>
local STATES = {
  empty = "empty: nothing is indexed yet",
  indexing = "being built: answers may lack something",
  ready = "complete and up to date",
  stale = "out of date: `:Context reindex` brings it up to date",
}

---@param bytes integer
---@return string
local function megabytes(bytes)
  return ("%.1f MB"):format(bytes / 1e6)
end

---@param counts table<string, integer>
---@return string
local function most_first(counts)
  local names = vim.tbl_keys(counts)
  table.sort(names, function(one, other)
    return counts[one] > counts[other] or (counts[one] == counts[other] and one < other)
  end)
  return table.concat(
    vim.tbl_map(function(name)
      return ("%s %d"):format(name, counts[name])
    end, names),
    ", "
  )
end

--- How one project stands, line by line. Only within `async.run`.
---@param client vim.lsp.Client
---@return string[]
function M.lines(client)
  local root = session.root(client)
  local status = session.request(client, "context/status")
  local number = require("contextls.ask").number
  local paused = require("contextls.pause").is_paused(root)
  local lines = {
    "# contextls in " .. vim.fs.basename(root),
    "",
    "- Index: " .. (STATES[status.state] or status.state),
    ("- Files: %s in %s chunks, %s"):format(
      number(status.files),
      number(status.chunks),
      megabytes(status.indexBytes)
    ),
    "- Languages: " .. most_first(status.languages),
    "- Left out: " .. (next(status.skipped) and most_first(status.skipped) or "nothing"),
    "- Scope: " .. (#status.scope > 0 and table.concat(status.scope, ", ") or "the whole project"),
    "- Events: " .. number(status.events),
    "- Memory: " .. (paused and "paused: nothing is recorded" or "records what you do"),
    "- Tokenizer: " .. status.tokenizer,
    "- Embedder: " .. status.embedder,
    "",
    "Where things lie:",
    "",
    "- Project: " .. status.root,
    "- Index: " .. status.indexLocation,
    "- Events and tasks: " .. status.stateLocation,
  }
  for _, warning in ipairs(status.warnings) do
    table.insert(lines, "- Warning: " .. warning:gsub("\n", " "))
  end
  return lines
end

--- Shows how things stand in a window of its own.
function M.show()
  local lines = M.lines(session.get())
  vim.lsp.util.open_floating_preview(lines, "markdown", {
    border = "rounded",
    title = " contextls ",
    focus_id = "contextls",
    close_events = { "CursorMoved", "InsertEnter", "BufLeave" },
  })
end

--- Pauses memory for the project, or goes on.
function M.pause()
  local client = session.get()
  local root = session.root(client)
  local pause = require("contextls.pause")
  pause.set(root, not pause.is_paused(root))
  local settings = require("contextls.lsp").settings(root)
  local params = { settings = { contextls = settings } }
  compat.call(client, "notify", "workspace/didChangeConfiguration", params)
  vim.cmd.redrawstatus()
  local told = pause.is_paused(root) and "memory is paused: nothing is recorded here"
    or "memory goes on: what you do here is recorded"
  vim.notify("contextls: " .. told)
end

--- Brings the index up to date, or builds it again.
---@param rebuild boolean
function M.reindex(rebuild)
  local client = session.get()
  local arguments = { { rootUri = vim.uri_from_fname(session.root(client)), rebuild = rebuild } }
  local report = session.raw_request(client, "workspace/executeCommand", {
    command = "contextls.reindex",
    arguments = arguments,
  })
  local said = "contextls: index up to date: %d files, %d changed, %d removed"
  vim.notify(said:format(report.files, report.changed, report.removed))
end

--- Deletes what the user chooses; events only after a word of warning.
function M.clear()
  local client = session.get()
  local only_index, both =
    "Delete the index; it can be built again", "Delete index, events and conversations for good"
  local choice = async.select(
    { only_index, both },
    { prompt = "What should contextls forget about this project?" }
  )
  local all = choice == both
  local params = { index = true, events = all, conversations = all }
  local cleared = session.request(client, "context/clear", params)
  vim.notify(("contextls: index%s deleted"):format(all and (" and %d events"):format(cleared.events) or ""))
end

--- Starts the server again, of every project that has one, whatever is in front: a log is where one reads of trouble.
function M.restart()
  local roots = vim.tbl_map(session.root, session.clients())
  for _, client in ipairs(session.clients()) do
    compat.call(client, "stop")
  end
  local deadline = vim.uv.now() + 10000
  while #session.clients() > 0 and vim.uv.now() < deadline do
    async.sleep(50)
  end
  require("contextls.lsp").enable()
  if #roots == 0 then
    session.get()
  end
  for _, root in ipairs(roots) do
    session.serve(root)
  end
  vim.notify("contextls: the server was restarted")
end

return M
