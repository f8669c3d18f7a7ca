--- Which document is in front. What is opened, edited and saved the server hears as every language server does.
local events = require("contextls.events")
local place = require("contextls.place")
local session = require("contextls.session")

local M = {}

--- Who goes through the buffers looks at the last one.
local FLICK_MS = 250
--- Something that is on no disk takes the focus away.
local NOTHING = "untitled:nothing"

local timer = assert(vim.uv.new_timer())

--- Tells every server which document is in front.
function M.tell()
  local bufnr = vim.api.nvim_get_current_buf()
  for _, client in ipairs(session.clients()) do
    local wanted = place.is_file(bufnr) and client.attached_buffers[bufnr]
    events.notify(client, "context/didFocus", { uri = wanted and vim.uri_from_bufnr(bufnr) or NOTHING })
  end
end

---@param group integer
function M.follow(group)
  vim.api.nvim_create_autocmd({ "BufEnter", "WinEnter", "FocusGained", "LspAttach" }, {
    group = group,
    callback = function()
      timer:start(FLICK_MS, 0, vim.schedule_wrap(M.tell))
    end,
  })
end

return M
