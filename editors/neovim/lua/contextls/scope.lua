--- The scope: the folders and packages that questions of the project are limited to.
local async = require("contextls.async")
local session = require("contextls.session")

local M = {}

local WHOLE = "the whole project"

---@param folder table
---@return string
local function name_of(folder)
  return folder.package == "" and folder.path or ("%s (%s)"):format(folder.path, folder.package)
end

---@param view table the answer to `context/scope`
---@return string
function M.describe(view)
  if #view.folders == 0 then
    return WHOLE
  end
  local names = table.concat(vim.tbl_map(name_of, view.folders), ", ")
  return ("%s: %d of %d files"):format(names, view.files, view.totalFiles)
end

--- Lets the user choose one folder or package, or the whole project.
---@param view table
---@return string[]
local function chosen(view)
  local items = vim.list_extend({ { path = WHOLE, package = "" } }, view.choices)
  local prompt = ("Questions are about %s; limit them to"):format(M.describe(view))
  local item = async.select(items, { prompt = prompt, format_item = name_of })
  return item.path == WHOLE and {} or { item.path }
end

--- Saves the folders and packages in `text`; `all` stands for the whole project, nothing lets the user choose.
---@param text string
function M.change(text)
  local client = session.get()
  local entries = text == "all" and {} or vim.split(text, "%s+", { trimempty = true })
  if text == "" then
    entries = chosen(session.request(client, "context/scope"))
  end
  local view = session.request(client, "context/scope", { scope = entries })
  vim.notify("contextls: questions are about " .. M.describe(view))
end

return M
