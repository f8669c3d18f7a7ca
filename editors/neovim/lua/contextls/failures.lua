--- Says in plain words why an environment could not be made, from what `venv`, `pip` and `uv` printed.
local M = {}

--- Most telling first: a proxy that refuses also reads like no connection at all. Patterns of Lua, in lower case.
local REASONS = {
  {
    text = "The disk is full: about 630 MB are needed.",
    said = { "no space left on device", "errno 28", "os error 28", "disk quota exceeded" },
  },
  {
    text = "The proxy refused the connection: check the variable HTTPS_PROXY, and its user name and password.",
    said = {
      "proxyerror",
      "proxy authentication",
      "cannot connect to proxy",
      "tunnel connection failed",
      "tunnel error",
    },
  },
  {
    text = "The certificate of the package index is not trusted: where a company reads along, name its certificate in "
      .. "the variable SSL_CERT_FILE or in pip's setting “cert”.",
    said = {
      "certificate verify failed",
      "certificate_verify_failed",
      "sslerror",
      "invalid peer certificate",
    },
  },
  {
    text = "The package index cannot be reached: is this machine online? The server's dependencies come from pypi.org, "
      .. "or from the index in pip's own settings.",
    said = {
      "name resolution",
      "name or service not known",
      "getaddrinfo failed",
      "network is unreachable",
      "no route to host",
      "dns error",
      "failed to lookup address",
      "connection refused",
      "connecttimeout",
      "connection timed out",
    },
  },
  {
    text = "This Python lacks “venv”; on Debian and Ubuntu, “sudo apt install python3-venv” installs it.",
    said = { "ensurepip is not available", "no module named '?ensurepip", "no module named '?venv" },
  },
  {
    text = "The package index has no ready-made package for this Python on this machine; there are some for Python 3.11 to "
      .. "3.14 on Linux with glibc, macOS on Apple silicon, and Windows on x64.",
    said = {
      "no matching distribution found",
      "could not find a version that satisfies",
      "no solution found",
    },
  },
  {
    text = "The operating system did not allow it.",
    said = {
      "permission denied",
      "errno 13",
      "access is denied",
      "operation not permitted",
      "read%-only file system",
    },
  },
}

--- The last line that says something: an error before anything else.
---@param output string
---@return string
local function last_words(output)
  local last, wrong = "", nil
  for line in vim.gsplit(output, "\r?\n") do
    line = vim.trim(line)
    if line ~= "" and not line:match("^%[notice%]") and not line:lower():match("^warning") then
      last = line
      wrong = line:lower():match("^error") and line or wrong
    end
  end
  return vim.fn.strcharpart(wrong or last, 0, 200)
end

--- Why a step failed, in one message.
---@param step string what was tried, as a sentence
---@param output string
---@return string
function M.explain(step, output)
  local lower = output:lower()
  local reason = vim.iter(REASONS):find(function(each)
    return vim.iter(each.said):any(function(said)
      return lower:find(said) ~= nil
    end)
  end)
  local words = last_words(output)
  local parts = { step, reason and reason.text or nil }
  if words ~= "" then
    table.insert(parts, ("(%s)"):format(words))
  end
  return table.concat(parts, " ")
end

return M
