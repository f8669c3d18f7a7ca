--- The working set: what is pinned into every prompt of the project, and what is kept out of all of them.
local async = require("contextls.async")
local place = require("contextls.place")
local session = require("contextls.session")

local M = {}

---@alias contextls.PinChange "pin"|"unpin"|"exclude"|"include"

---@type table<contextls.PinChange, string>
local TOLD = {
  pin = "pinned %s: it comes first in every prompt",
  unpin = "unpinned %s",
  exclude = "excluded %s: it stays out of every prompt",
  include = "%s is no longer excluded",
}

--- What a command means: a path with or without a symbol, `#` for the symbol around the cursor, nothing for this file.
---@param client vim.lsp.Client
---@param text string
---@param line? integer the first line of a selection
---@return table target
---@return string name
local function target_for(client, text, line)
  local bufnr = vim.api.nvim_get_current_buf()
  local path, symbol = text:match("^([^#]*)#?(.*)$")
  local target = {}
  if path ~= "" then
    target.uri = vim.uri_from_fname(vim.fn.fnamemodify(vim.fn.expand(path), ":p"))
  elseif place.is_file(bufnr) then
    target.uri = vim.uri_from_bufnr(bufnr)
  else
    async.fail("open a file first, or name one", vim.log.levels.INFO)
  end
  local name = vim.fs.basename(vim.uri_to_fname(target.uri))
  if symbol ~= "" then
    target.symbol = symbol
    return target, name .. "#" .. symbol
  end
  if line or text == "#" then
    local point = line and { line = line, byte = 0 } or place.cursor()
    target.position = place.position(bufnr, point, client.offset_encoding)
    return target, "the symbol in " .. name
  end
  return target, name
end

---@param entry table
---@return string
local function entry_name(entry)
  if entry.target and entry.target ~= entry.path .. "/" then
    return entry.target
  end
  return entry.symbol and ("%s#%s"):format(entry.path, entry.symbol) or entry.path
end
M.entry_name = entry_name

--- Lets the user choose among what is pinned or excluded.
---@param client vim.lsp.Client
---@param kind "unpin"|"include"
---@return table target
---@return string name
local function chosen(client, kind)
  local view = session.request(client, "context/workingSet/list")
  local kept = kind == "unpin" and view.files or view.excluded
  if #kept == 0 then
    async.fail(kind == "unpin" and "nothing is pinned" or "nothing is excluded", vim.log.levels.INFO)
  end
  local prompt = kind == "unpin" and "Unpin what?" or "Take back in what?"
  local entry = async.select(kept, { prompt = prompt, format_item = entry_name })
  return { path = entry_name(entry) }, entry_name(entry)
end

--- Changes the working set. Only within `async.run`.
---@param kind contextls.PinChange
---@param text string
---@param line? integer the first line of a selection
function M.change(kind, text, line)
  local client = session.get()
  local target, name
  if text == "" and (kind == "unpin" or kind == "include") then
    target, name = chosen(client, kind)
  else
    target, name = target_for(client, text, line)
  end
  local view = session.request(client, "context/workingSet/" .. kind, target)
  vim.notify("contextls: " .. TOLD[kind]:format(name))
  if #view.warnings > 0 then
    vim.notify("contextls: " .. table.concat(view.warnings, " · "), vim.log.levels.WARN)
  end
end

return M
