--- The sections and pieces of a prompt: what folds, and where headings are. Headings within fences are none.
local M = {}

---@type table<integer, string[]> fold levels by buffer
local levels = {}

---@param lines string[]
---@return string[]
local function read(lines)
  local found, fence = {}, nil
  for number, line in ipairs(lines) do
    local mark = line:match("^(```+)") or line:match("^(~~~+)")
    local depth = not mark and #(line:match("^(##+) ") or "") or 0
    if fence then
      if mark and #mark >= #fence and vim.trim(line) == mark then
        fence = nil
      end
      depth = 0
    elseif mark then
      fence = mark
    end
    found[number] = depth == 2 and ">1" or depth > 2 and ">2" or "="
  end
  return found
end

--- Reads the outline of what a buffer shows, and forgets it with the buffer.
---@param bufnr integer
function M.attach(bufnr)
  levels[bufnr] = read(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false))
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = bufnr,
    callback = function()
      levels[bufnr] = nil
    end,
  })
end

--- 'foldexpr' of a buffer with an outline.
---@return string
function M.fold_level()
  local known = levels[vim.api.nvim_get_current_buf()]
  return known and known[vim.v.lnum] or "="
end

--- The nearest heading at or above a line of the current buffer.
---@param lnum integer
---@return integer?
function M.heading_above(lnum)
  local known = levels[vim.api.nvim_get_current_buf()] or {}
  for number = lnum, 1, -1 do
    if vim.startswith(known[number] or "", ">") then
      return number
    end
  end
end

--- Moves to the next heading, or to the previous one.
---@param direction 1|-1
function M.to_heading(direction)
  local known = levels[vim.api.nvim_get_current_buf()] or {}
  local number = vim.fn.line(".") + direction
  while known[number] and not vim.startswith(known[number], ">") do
    number = number + direction
  end
  if known[number] then
    vim.api.nvim_win_set_cursor(0, { number, 0 })
  end
end

--- Maps keys in a buffer with an outline: those given, and those that close its window and move between headings.
---@param bufnr integer
---@param shown string what the buffer shows
---@param part string what stands under a heading
---@param keys table<string, { work: fun(), desc: string }>
function M.map_keys(bufnr, shown, part, keys)
  local function map(lhs, work, desc)
    vim.keymap.set(
      "n",
      lhs,
      work,
      { buffer = bufnr, desc = "contextls: " .. desc, silent = true, nowait = true }
    )
  end
  for lhs, key in pairs(keys) do
    map(lhs, key.work, key.desc)
  end
  map("q", "<Cmd>close<CR>", "close the " .. shown)
  map("]]", function()
    M.to_heading(1)
  end, "next " .. part)
  map("[[", function()
    M.to_heading(-1)
  end, "previous " .. part)
end

--- Folds a window that shows a buffer with an outline by its headings, and takes away what is of use in code only.
---@param win integer
function M.dress(win)
  local wo = vim.wo[win][0]
  wo.foldmethod, wo.foldlevel = "expr", 99
  wo.foldexpr = "v:lua.require'contextls.outline'.fold_level()"
  wo.wrap, wo.number, wo.relativenumber, wo.spell = false, false, false, false
end

return M
