--- From a line of a prompt or of the activity to the code that it speaks of.
local outline = require("contextls.outline")
local place = require("contextls.place")

local M = {}

--- `path:line` anywhere in a text, best guess first: what is quoted, then what stands alone.
local PLACES = { "`([^`]+):(%d+)%-?%d*[^`]*`", "([^%s`'\"()%[%]<>]+):(%d+)" }

---@param root string
---@param path string
---@return string?
local function existing(root, path)
  local whole = path:match("^/") and path or vim.fs.joinpath(root, path)
  return vim.uv.fs_stat(whole) and whole or nil
end

--- The first place in `text` whose file exists below `root`.
---@param root string
---@param text string
---@return string? path
---@return integer? line
local function place_in(root, text)
  for _, pattern in ipairs(PLACES) do
    for path, line in text:gmatch(pattern) do
      local found = existing(root, path)
      if found then
        return found, tonumber(line)
      end
    end
  end
  for path in text:gmatch("`([^`]+)`") do
    local found = existing(root, (path:gsub("#.*$", "")))
    if found then
      return found, nil
    end
  end
end

--- How many lines of a piece's code come before a line of the prompt; those that were left out count.
---@param heading integer
---@param lnum integer
---@return integer
local function lines_before(heading, lnum)
  local offset, in_code = 0, false
  for number = heading + 1, lnum - 1 do
    local line = vim.fn.getline(number)
    if in_code then
      offset = offset + (tonumber(line:match("^%s*… %((%d+) lines? omitted%)")) or 1)
    end
    in_code = in_code or line:match("^```") ~= nil
  end
  return offset
end

--- Opens what the cursor's line names, else what the piece around it shows, at the same line of the file.
---@param root string
function M.open_at_cursor(root)
  local lnum = vim.fn.line(".")
  local path, line = place_in(root, vim.fn.getline(lnum))
  if not path then
    local heading = outline.heading_above(lnum)
    path, line = place_in(root, heading and vim.fn.getline(heading) or "")
    line = line and line + lines_before(heading --[[@as integer]], lnum)
  end
  if path then
    place.open(path, line)
  else
    vim.notify("contextls: no file of the project is named here", vim.log.levels.INFO)
  end
end

return M
