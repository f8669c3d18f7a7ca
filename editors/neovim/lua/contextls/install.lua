--- Installs the server into an environment of its own: finds what makes it, makes it, installs, tries it.
local async = require("contextls.async")
local config = require("contextls.config")
local environment = require("contextls.environment")
local failures = require("contextls.failures")
local programs = require("contextls.programs")

local M = {}

local ANY_PYTHON = ">=3.11,<3.15" -- what uv is asked for where the machine has none
local PYTHONS = { "python3.14", "python3.13", "python3.12", "python3.11", "python3", "python" }
local PROBE = "import importlib.util as u, sys; "
  .. "print(sys.version_info >= (3, 11) and bool(u.find_spec('venv') and u.find_spec('ensurepip')))"
local YES, NO = "Install it", "Not now"
local LOCK = "install.lock"
local WAIT_MS = 200
--- User-wide choices that would send packages elsewhere than into the environment.
local VARIABLES = { PIP_USER = "0", PIP_REQUIRE_VIRTUALENV = "0", PYTHONPATH = "", PYTHONHOME = "" }

---@alias contextls.Step { said: string, failed: string, command: string[] }

local running = false

---@return boolean
function M.is_running()
  return running
end

--- Waits for the installation that is under way; true where the server is there afterwards.
---@return boolean
function M.wait()
  while running do
    async.sleep(WAIT_MS)
  end
  local source = environment.source()
  return source ~= nil and environment.is_complete(environment.path(source))
end

---@return string
function M.log_file()
  return vim.fs.joinpath(vim.fn.stdpath("log") --[[@as string]], "contextls-install.log")
end

---@param line string
local function log(line)
  vim.fn.mkdir(vim.fs.dirname(M.log_file()), "p")
  vim.fn.writefile(vim.split(vim.trim(line), "\n"), M.log_file(), "a")
end

--- The first Python that is new enough and can make environments; what the user named is the only one tried.
---@return string?
function M.find_python()
  local named = config.options.server.python
  local candidates = {}
  for _, name in ipairs(PYTHONS) do
    vim.list_extend(candidates, programs.named(name, vim.fn.getcwd()))
  end
  for _, path in ipairs(named and { vim.fs.normalize(named) } or candidates) do
    local is_stub = vim.fn.has("mac") == 1 and path == "/usr/bin/python3" -- it may open a dialog, and is too old
    local tried = not is_stub and async.system({ path, "-I", "-c", PROBE }, { text = true, timeout = 10000 })
    if tried and tried.code == 0 and vim.trim(tried.stdout) == "True" then
      return path
    end
  end
end

---@return string?
function M.find_uv()
  return programs.named("uv", vim.fn.getcwd())[1]
end

---@param uv? string
---@param python? string
---@param path string
---@param source contextls.Source
---@return contextls.Step[]
local function steps(uv, python, path, source)
  local own = environment.python(path)
  local create, install
  if uv then
    create = { uv, "venv", "--no-project", "--python", python or ANY_PYTHON, path }
    install = { uv, "pip", "install", "--python", own, source.install }
  else
    create = { python, "-I", "-m", "venv", path }
    install = { own, "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install" }
    vim.list_extend(install, { "--no-compile", "--prefer-binary", "--retries=2", source.install })
  end
  local start = { own, "-I", "-m", "contextls.cli.main", "--version" }
  return {
    { said = "making an environment", failed = "The environment could not be made.", command = create },
    { said = "installing the server", failed = "The server could not be installed.", command = install },
    { said = "trying the server", failed = "The server was installed, but does not start.", command = start },
  }
end

---@param text string
local function say(text)
  vim.api.nvim_echo({ { "contextls: " .. text } }, false, {})
end

--- Runs the steps; nil where all went well, else why not.
---@param all contextls.Step[]
---@return string?
local function try(all)
  for number, step in ipairs(all) do
    say(("%s (%d of %d) …"):format(step.said, number, #all))
    log("$ " .. table.concat(step.command, " "))
    local ended = async.system(step.command, { text = true, cwd = environment.storage(), env = VARIABLES })
    local output = (ended.stdout or "") .. (ended.stderr or "")
    log(output)
    if ended.code ~= 0 then
      return failures.explain(step.failed, output)
    end
  end
end

--- Two editors may be asked at once: the first installs. A lock whose owner is gone counts for nothing.
---@return boolean
local function lock()
  local path = vim.fs.joinpath(environment.storage(), LOCK)
  local ok, lines = pcall(vim.fn.readfile, path)
  local owner = ok and tonumber(lines[1])
  if owner and owner ~= vim.uv.os_getpid() and vim.uv.kill(owner, 0) == 0 then
    return false
  end
  vim.fn.writefile({ tostring(vim.uv.os_getpid()) }, path)
  return true
end

---@param source contextls.Source
local function make(source)
  local path = environment.path(source)
  local uv, python = M.find_uv(), M.find_python()
  if not uv and not python then
    async.fail(
      "the server needs uv, or Python 3.11 or newer with “venv”; none was found (option server.python names one)"
    )
  end
  local ways = { uv and steps(uv, python, path, source) or nil }
  if python then
    table.insert(ways, steps(nil, python, path, source))
  end
  local problem
  for _, way in ipairs(ways) do
    environment.remove(path)
    problem = try(way)
    if not problem then
      environment.mark_complete(path)
      environment.remove_predecessors(path)
      return
    end
  end
  environment.remove(path)
  async.fail(("%s The log is in %s"):format(problem, M.log_file()))
end

--- Installs the server, whatever is there. Only within `async.run`.
function M.install()
  local source = environment.source()
  if not source then
    async.fail(
      "this copy of the plugin carries no server; name one in the option server.path or server.source"
    )
  end
  vim.fn.mkdir(environment.storage(), "p")
  if not lock() then
    async.fail("another Neovim is installing the server; try again in a moment", vim.log.levels.WARN)
  end
  running = true
  local ok, problem = pcall(make, source)
  running = false
  vim.fn.delete(vim.fs.joinpath(environment.storage(), LOCK))
  if not ok then
    error(problem, 0)
  end
  vim.notify("contextls: the server is ready")
  require("contextls.lsp").enable()
end

--- Whether the user was asked before without having run a command; once is enough.
---@return boolean
local function was_offered()
  local path = vim.fs.joinpath(environment.storage(), "offered")
  if vim.uv.fs_stat(path) then
    return true
  end
  vim.fn.mkdir(environment.storage(), "p")
  vim.fn.writefile({}, path)
  return false
end

--- Offers to install the server, as the option server.install says; true once it is there. `asked`: a command waits.
---@param asked boolean
---@return boolean
function M.offer(asked)
  local wanted = config.options.server.install
  local source = environment.source()
  if wanted == "never" or config.options.server.path or not source then
    return false
  end
  if wanted == "ask" and not environment.has_predecessor(environment.path(source)) then
    if not asked and was_offered() then
      return false
    end
    local prompt = "contextls needs its server, a Python program. About 630 MB go into a folder of its own below "
      .. ("%s, fetched from PyPI with uv or pip. Install it now?"):format(
        vim.fn.fnamemodify(environment.storage(), ":~")
      )
    local choice = async.await(function(done)
      vim.ui.select({ YES, NO }, { prompt = prompt, kind = "contextls.install" }, done)
    end)
    if choice ~= YES then
      if not asked then
        vim.notify("contextls: :Context install does it later")
      end
      return false
    end
  end
  M.install()
  return true
end

--- `:Context install`.
function M.run()
  if running then
    async.fail("the server is being installed already", vim.log.levels.INFO)
  end
  M.install()
end

return M
