--- For which folders memory is paused: kept by this editor and not in the workspace, as a pause is nothing to commit.
local M = {}

---@return string
local function file()
  return vim.fs.joinpath(vim.fn.stdpath("state"), "contextls-paused.json")
end

---@return table<string, boolean>
local function read()
  local ok, lines = pcall(vim.fn.readfile, file())
  local decoded, paused = pcall(vim.json.decode, ok and table.concat(lines, "\n") or "")
  return decoded and type(paused) == "table" and paused or {}
end

---@param root string
---@return boolean
function M.is_paused(root)
  return read()[root] == true
end

--- Keeps whether memory is paused for `root`, over the end of this editor.
---@param root string
---@param paused boolean
function M.set(root, paused)
  local all = read()
  all[root] = paused or nil
  vim.fn.mkdir(vim.fs.dirname(file()), "p")
  vim.fn.writefile({ vim.json.encode(next(all) and all or vim.empty_dict()) }, file())
end

return M
