--- Places in files as the protocol names them: the cursor, a selection, a heading of a prompt.
local M = {}

--- Whether the buffer shows a file on disk, or one that is to be written.
---@param bufnr integer
---@return boolean
function M.is_file(bufnr)
  if not vim.api.nvim_buf_is_valid(bufnr) or vim.bo[bufnr].buftype ~= "" then
    return false
  end
  local name = vim.api.nvim_buf_get_name(bufnr)
  return name ~= "" and not name:match("^%a[%w+.-]+://")
end

--- A place in a buffer: the line from 1, the byte from 0.
---@class contextls.Point
---@field line integer
---@field byte integer

--- A point as the protocol has it, in the units that client and server agreed on.
---@param bufnr integer
---@param point contextls.Point
---@param encoding string
---@return lsp.Position
function M.position(bufnr, point, encoding)
  local before = (vim.fn.getbufline(bufnr, point.line)[1] or ""):sub(1, point.byte)
  local units = { ["utf-8"] = string.len, ["utf-16"] = vim.fn.strutf16len, ["utf-32"] = vim.fn.strchars }
  return { line = point.line - 1, character = units[encoding](before) }
end

---@class contextls.Selection
---@field text string
---@field from contextls.Point
---@field to contextls.Point exclusive

---@param bufnr integer
---@param selection contextls.Selection
---@param encoding string
---@return lsp.Range
function M.range(bufnr, selection, encoding)
  return {
    start = M.position(bufnr, selection.from, encoding),
    ["end"] = M.position(bufnr, selection.to, encoding),
  }
end

--- What a command was given as a range: the characters of the visual selection where the range is that one, else lines.
---@param bufnr integer
---@param first integer
---@param last integer
---@return contextls.Selection
function M.selection(bufnr, first, last)
  local text = vim.api.nvim_buf_get_lines(bufnr, last - 1, last, false)[1] or ""
  local start, past = 0, #text
  local from, to = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  if from[2] == first and to[2] == last and vim.fn.visualmode() == "v" then
    start = from[3] - 1
    past = math.min(#text, to[3] - 1 + #vim.fn.matchstr(text, ".", to[3] - 1))
  end
  local lines = vim.api.nvim_buf_get_text(bufnr, first - 1, start, last - 1, past, {})
  return {
    text = table.concat(lines, "\n"),
    from = { line = first, byte = start },
    to = { line = last, byte = past },
  }
end

--- The cursor of the current window.
---@return contextls.Point
function M.cursor()
  local line, byte = unpack(vim.api.nvim_win_get_cursor(0))
  return { line = line, byte = byte }
end

--- Opens `path` at `line` in a window that shows files, a new one where there is none.
---@param path string
---@param line? integer from 1
function M.open(path, line)
  local here = vim.api.nvim_get_current_win()
  local wins = { vim.fn.win_getid(vim.fn.winnr("#")), unpack(vim.api.nvim_tabpage_list_wins(0)) }
  local target
  for _, win in ipairs(wins) do
    local usable = win ~= 0 and win ~= here and vim.api.nvim_win_get_config(win).relative == ""
    if usable and vim.bo[vim.api.nvim_win_get_buf(win)].buftype == "" and not vim.wo[win].winfixbuf then
      target = win
      break
    end
  end
  if target then
    vim.api.nvim_set_current_win(target)
  else
    vim.cmd("leftabove vsplit")
  end
  vim.cmd("normal! m'")
  local name = vim.fn.fnamemodify(path, ":.")
  vim.cmd({ cmd = "edit", args = { name }, magic = { file = false, bar = false } })
  if line then
    vim.api.nvim_win_set_cursor(0, { math.min(line, vim.api.nvim_buf_line_count(0)), 0 })
    vim.cmd("normal! zvzz")
  end
end

return M
