--- The buffer of a result: the prompt as Markdown, folded by section, with its budget in the winbar.
local config = require("contextls.config")
local jump = require("contextls.jump")
local outline = require("contextls.outline")

local M = {}

local MOST_KEPT = 20
local TITLE_CHARS = 60
local BAR_CELLS = 10

---@class contextls.Result
---@field context table
---@field params table
---@field root string

---@type contextls.Result[] newest first
M.kept = {}
---@type table<integer, contextls.Result> by buffer
local shown = {}

--- The first line of a question, cut.
---@param result contextls.Result
---@return string
function M.title(result)
  local line = result.params.query:gsub("%s+", " ")
  return vim.fn.strchars(line) <= TITLE_CHARS and line
    or vim.fn.strcharpart(line, 0, TITLE_CHARS - 1) .. "…"
end

--- That files are missing in an index, and how many it holds of how many where that is known.
---@param report table
---@return string
function M.describe_missing(report)
  local number = require("contextls.ask").number
  local extent = report.indexExtent
  if type(extent) ~= "table" then
    return "the index is not complete yet"
  end
  return ("the index is not complete yet (%s of %s files)"):format(
    number(extent.indexed),
    number(extent.found)
  )
end

--- The bar of a result: what it cost comes first, what there is no room for goes from the end.
---@param result contextls.Result
---@return string
local function winbar(result)
  local number = require("contextls.ask").number
  local context, budget = result.context, result.params.maxTokens
  local filled = math.min(BAR_CELLS, math.ceil(context.tokenCount / budget * BAR_CELLS))
  local bar = ("▰"):rep(filled) .. ("▱"):rep(BAR_CELLS - filled)
  local parts = {
    (" %s of %s tokens %s"):format(number(context.tokenCount), number(budget), bar),
    ("confidence %.2f"):format(context.confidence or 0),
    context.strategy.name,
  }
  if not context.report.indexComplete then
    table.insert(parts, M.describe_missing(context.report))
  end
  vim.list_extend(parts, vim.list_slice(context.report.warnings, 1, 1))
  local text = table.concat(parts, "  ·  "):gsub("%%", "%%%%"):gsub("\n", " ")
  return text .. "%<"
end

---@param bufnr integer
local function map_keys(bufnr)
  local open = {
    desc = "open the file that the cursor is on",
    work = function()
      jump.open_at_cursor(shown[bufnr].root)
    end,
  }
  local copy = {
    desc = "copy the whole context",
    work = function()
      require("contextls.async").run(function()
        require("contextls.ask").copy(shown[bufnr].context)
      end)
    end,
  }
  outline.map_keys(bufnr, "result", "piece", { ["<CR>"] = open, gf = open, gy = copy })
end

--- The window that shows a result already.
---@return integer?
local function window_of_result()
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(win)
    return shown[vim.api.nvim_win_get_buf(win)] ~= nil
  end)
end

---@param result contextls.Result
---@return integer bufnr
local function buffer_for(result)
  local bufnr = vim.api.nvim_create_buf(true, true)
  shown[bufnr] = result
  local name = "contextls://" .. M.title(result):gsub("[/\\]", " ")
  vim.api.nvim_buf_set_name(bufnr, vim.fn.bufexists(name) == 1 and ("%s (%d)"):format(name, bufnr) or name)
  local lines = vim.split(result.context.content, "\n")
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].bufhidden = "wipe"
  vim.bo[bufnr].modifiable = false
  vim.b[bufnr].contextls_root = result.root
  outline.attach(bufnr)
  map_keys(bufnr)
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = bufnr,
    callback = function()
      shown[bufnr] = nil
    end,
  })
  return bufnr
end

---@param result contextls.Result
---@param as_document boolean in the current window instead of one beside it
function M.open(result, as_document)
  local win = not as_document and window_of_result()
  if win then
    vim.api.nvim_set_current_win(win)
  elseif not as_document then
    vim.cmd(config.options.result.window)
  end
  local bufnr = buffer_for(result)
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.bo[bufnr].filetype = "markdown"
  local window = vim.api.nvim_get_current_win()
  outline.dress(window)
  vim.wo[window][0].winbar = winbar(result)
end

--- Shows an answer, and keeps it for `:Context open`.
---@param context table
---@param params table
---@param root string
---@param as_document boolean
function M.show(context, params, root, as_document)
  local result = { context = context, params = params, root = root }
  table.insert(M.kept, 1, result)
  M.kept[MOST_KEPT + 1] = nil
  M.open(result, as_document)
end

return M
