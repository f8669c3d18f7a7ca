--- The environment of the server's own, in Neovim's data folder: made whole, or not there.
local config = require("contextls.config")
local programs = require("contextls.programs")

local M = {}

local MARKER = "complete.json"
local PREFIX = "server-"

--- What is installed: the checkout that the plugin lies in, or what the user names.
---@class contextls.Source
---@field install string what pip and uv are given
---@field identity string changes when there is something new to install

---@return string
function M.storage()
  return vim.fs.joinpath(vim.fn.stdpath("data") --[[@as string]], "contextls")
end

--- The folder of this plugin; where a link leads to it, the folder behind the link.
---@return string
local function plugin()
  local file = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")
  local folder = vim.fs.normalize(vim.uv.fs_realpath(file) or file)
  for _ = 1, 3 do
    folder = vim.fs.dirname(folder)
  end
  return folder
end

---@param folder string
---@return string?
local function version_in(folder)
  local ok, lines = pcall(vim.fn.readfile, vim.fs.joinpath(folder, "pyproject.toml"))
  local text = ok and table.concat(lines, "\n") or ""
  return text:match('\nname = "contextls"') and text:match('\nversion = "([%w.+-]+)"') or nil
end

--- The commit of a checkout; its version where it is none.
---@param folder string
---@return string
local function commit_of(folder)
  local program = programs.named("git", vim.fn.getcwd())[1]
  local ok, git = pcall(vim.system, { program, "-C", folder, "rev-parse", "HEAD" }, { text = true })
  local ended = program and ok and git:wait(2000)
  return ended and ended.code == 0 and vim.trim(ended.stdout) or (version_in(folder) or folder)
end

--- Nil where the plugin came without its server.
---@return contextls.Source?
function M.source()
  local named = config.options.server.source
  if named then
    return { install = named, identity = vim.fn.isdirectory(named) == 1 and commit_of(named) or named }
  end
  local checkout = vim.fs.dirname(vim.fs.dirname(plugin()))
  if version_in(checkout) then
    return { install = checkout, identity = commit_of(checkout) }
  end
end

---@param source contextls.Source
---@return string
function M.path(source)
  return vim.fs.joinpath(M.storage(), PREFIX .. vim.fn.sha256(source.identity):sub(1, 8))
end

---@param path string
---@return string
function M.python(path)
  local inside = vim.fn.has("win32") == 1 and "Scripts/python.exe" or "bin/python"
  return vim.fs.joinpath(path, inside)
end

--- Whether it was made to the end, and the Python that it was made with is still there.
---@param path string
---@return boolean
function M.is_complete(path)
  return vim.uv.fs_stat(vim.fs.joinpath(path, MARKER)) ~= nil and programs.is_program(M.python(path))
end

--- Says that it is whole; the last thing that is written.
---@param path string
function M.mark_complete(path)
  local text = vim.json.encode({ made = os.date("!%Y-%m-%dT%H:%M:%SZ") })
  vim.fn.writefile({ text }, vim.fs.joinpath(path, MARKER))
end

---@param path string
function M.remove(path)
  vim.fn.delete(vim.fs.joinpath(path, MARKER)) -- first: what is removed halfway must not look whole
  vim.fn.delete(path, "rf")
end

--- The environments of other versions, whole or not.
---@param path string
---@return string[]
local function others(path)
  local found = {}
  for name, kind in vim.fs.dir(M.storage()) do
    local other = vim.fs.joinpath(M.storage(), name)
    if kind == "directory" and vim.startswith(name, PREFIX) and other ~= path then
      table.insert(found, other)
    end
  end
  return found
end

--- Whether an environment for another version is there: then the user has wanted one before.
---@param path string
---@return boolean
function M.has_predecessor(path)
  return vim.iter(others(path)):any(M.is_complete)
end

---@param path string
function M.remove_predecessors(path)
  vim.iter(others(path)):each(M.remove)
end

return M
