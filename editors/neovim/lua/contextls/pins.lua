--- The working set: what is pinned into every prompt of the project, and what is kept out of all of them.
local async = require("contextls.async")
local place = require("contextls.place")
local session = require("contextls.session")

local M = {}

---@alias contextls.PinChange "pin"|"unpin"|"exclude"|"include"

local STEP = 0.1

---@type table<string, string>
local DONE = {
  add_to_working_set = "added",
  remove_from_working_set = "removed",
  adjust_priority = "weighed otherwise:",
}

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

--- Who put it there, where that was no person.
---@param entry table
---@return string
function M.owner(entry)
  return entry.by == "model" and (" — added by a model: %s"):format(entry.why or "") or ""
end

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

--- Weighs what is pinned otherwise: a tenth up or down.
---@param by 1|-1
---@param text string
function M.weigh(by, text)
  local client = session.get()
  local target, name = target_for(client, text)
  local view = session.request(client, "context/workingSet/list")
  local file = vim.fs.normalize(vim.uri_to_fname(target.uri))
  local entry = vim.iter(view.files):find(function(each)
    return vim.endswith(file, "/" .. each.path) and each.symbol == target.symbol
  end)
  if not entry then
    async.fail(("%s is not pinned"):format(name), vim.log.levels.INFO)
  end
  target.priority = math.min(1, math.max(0, entry.priority + by * STEP))
  session.request(client, "context/workingSet/pin", target)
  vim.notify(("contextls: %s has priority %.2g"):format(name, target.priority))
end

---@param update table
---@return string
local function describe(update)
  local steps = vim.tbl_map(function(step)
    return ("%s %s — %s"):format(DONE[step.action] or step.action, step.target, step.why)
  end, update.steps)
  return table.concat(steps, "; ")
end

--- Undoes what a model did: the update of this id, or the newest. Where the user is to choose, also what the server does.
---@param id string
---@param choose boolean
function M.undo(id, choose)
  local client = session.get()
  if choose then
    local view = session.request(client, "context/workingSet/list")
    local choices = vim.list_extend(vim.list_extend({}, view.updates), view.server)
    if #choices == 0 then
      async.fail("nothing to undo", vim.log.levels.INFO)
    end
    id = async.select(choices, {
      prompt = "Undo what?",
      format_item = function(each)
        return each.steps and describe(each) or ("%s — %s"):format(each.text, each.why)
      end,
    }).id
  end
  local undone = session.request(client, "context/workingSet/undo", id ~= "" and { id = id } or nil)
  if not undone.id then
    async.fail("nothing to undo", vim.log.levels.INFO)
  end
  vim.notify(("contextls: undid %s"):format(#undone.steps > 0 and describe(undone) or undone.id))
  if #undone.kept > 0 then
    vim.notify("contextls: " .. table.concat(undone.kept, " · "), vim.log.levels.WARN)
  end
end

--- The newest update that was told of, by the root folder of its project.
---@type table<string, integer>
local told = {}

---@param update table
---@return integer
local function number(update)
  return tonumber(update.id:match("%d+$")) or 0
end

--- Tells of what models did to the working set since it was looked at last; the first look only remembers.
---@param client vim.lsp.Client
function M.tell_news(client)
  local root = session.root(client)
  local view = session.request(client, "context/workingSet/list")
  local before = told[root]
  told[root] = math.max(before or 0, view.updates[1] and number(view.updates[1]) or 0)
  for _, update in ipairs(before and vim.iter(view.updates):rev():totable() or {}) do
    if number(update) > before then
      vim.notify(("contextls: a model %s (:Context undo takes it back)"):format(describe(update)))
    end
  end
end

return M
