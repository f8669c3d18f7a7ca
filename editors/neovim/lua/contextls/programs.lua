--- Looks for programs where a project cannot put them.
local M = {}

local WINDOWS = vim.fn.has("win32") == 1
local SEPARATOR = WINDOWS and ";" or ":"
--- Where programs lie that a search path which came from no shell does not name.
local USUAL = WINDOWS and { "~/.local/bin", "~/.cargo/bin" }
  or { "/usr/local/bin", "/opt/homebrew/bin", "~/.local/bin", "~/.cargo/bin", "/usr/bin" }

---@param path string
---@return boolean
local function is_absolute(path)
  return path:match("^/") ~= nil or path:match("^%a:[/\\]") ~= nil
end

---@param path string
---@param folder string
---@return boolean
local function lies_in(path, folder)
  for _, place in ipairs({ path, vim.uv.fs_realpath(path) or path }) do
    for _, barred in ipairs({ folder, vim.uv.fs_realpath(folder) or folder }) do
      if vim.startswith(vim.fs.normalize(place) .. "/", vim.fs.normalize(barred) .. "/") then
        return true
      end
    end
  end
  return false
end

--- Whether `path` is a file that may be executed.
---@param path string
---@return boolean
function M.is_program(path)
  local stat = vim.uv.fs_stat(path)
  return stat ~= nil and stat.type == "file" and vim.uv.fs_access(path, "X") == true
end

--- All programs called `name` in the order of the search path; none from a relative folder or from the project.
---@param name string
---@param barred? string the project's folder
---@return string[]
function M.named(name, barred)
  local folders = vim.split(vim.env.PATH or "", SEPARATOR, { trimempty = true })
  vim.list_extend(folders, USUAL)
  local found, seen = {}, {}
  for _, folder in ipairs(folders) do
    local program = vim.fs.joinpath(vim.fs.normalize(folder), WINDOWS and name .. ".exe" or name)
    if is_absolute(program) and not seen[program] and M.is_program(program) then
      seen[program] = true
      if not barred or not lies_in(program, barred) then
        table.insert(found, program)
      end
    end
  end
  return found
end

--- The search path without relative folders: they would be folders of wherever a program happens to run.
---@return string
function M.safe_path()
  local folders = vim.split(vim.env.PATH or "", SEPARATOR, { trimempty = true })
  return table.concat(vim.tbl_filter(is_absolute, folders), SEPARATOR)
end

return M
