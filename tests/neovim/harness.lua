--- Runs, in a Neovim under test, the Lua code that comes over a socket: one line of JSON each way.
_G.said = {}
local notify = vim.notify
vim.notify = function(message, ...)
  table.insert(said, message)
  return notify(message, ...)
end

local function answer(code)
  local chunk, wrong = load(code)
  if not chunk then
    return { problem = wrong }
  end
  local ok, result = xpcall(chunk, debug.traceback)
  if result == nil then
    result = vim.NIL
  end
  local encoded, text = pcall(vim.json.encode, ok and { result = result } or { problem = result })
  return encoded and text or vim.json.encode({ problem = text })
end

local server = assert(vim.uv.new_pipe(false))
assert(server:bind(vim.env.CONTEXTLS_TEST_SOCKET))
server:listen(1, function()
  local client = assert(vim.uv.new_pipe(false))
  server:accept(client)
  local pending = ""
  client:read_start(function(_, data)
    pending = pending .. (data or "")
    for line in pending:gmatch("([^\n]*)\n") do
      vim.schedule(function()
        local reply = answer(vim.json.decode(line))
        client:write((type(reply) == "table" and vim.json.encode(reply) or reply) .. "\n")
      end)
    end
    pending = pending:match("[^\n]*$")
  end)
end)
