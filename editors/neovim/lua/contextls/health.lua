--- `:checkhealth contextls`.
local compat = require("contextls.compat")
local config = require("contextls.config")
local environment = require("contextls.environment")
local programs = require("contextls.programs")
local server = require("contextls.server")
local session = require("contextls.session")

local M = {}

local health = vim.health
local ANSWER_MS = 5000

local function check_neovim()
  health.start("contextls: Neovim")
  local version = tostring(vim.version())
  if vim.fn.has("nvim-0.11") == 1 then
    health.ok("Neovim " .. version)
  elseif vim.fn.has("nvim-0.10") == 1 then
    health.warn(("Neovim %s: commands of a shell in :terminal are not seen before 0.11"):format(version))
  else
    health.error(("Neovim %s is too old"):format(version), "install 0.10 or newer; 0.11 is what is tested")
  end
  if vim.fn.has("clipboard") == 1 then
    health.ok("a copied context goes to the clipboard")
  else
    health.warn('no clipboard: a copied context goes to the register " only', "see :help clipboard")
  end
end

local function check_server()
  health.start("contextls: server")
  local launch, problem = server.find(vim.fn.getcwd())
  if not launch then
    local advice = config.options.server.path and "correct server.path, or leave it out"
      or ":Context install installs it"
    health.error(problem, advice)
  else
    local version = { unpack(launch.command, 1, #launch.command - 1) }
    table.insert(version, "--version")
    local ok, run = pcall(vim.system, version, { text = true, cwd = vim.fn.stdpath("data") })
    local ended = ok and run:wait(20000)
    local words = ("%s (found: %s)"):format(table.concat(launch.command, " "), launch.origin)
    if ended and ended.code == 0 then
      health.ok(("%s: %s"):format(vim.trim(ended.stdout), words))
    else
      health.error(("%s does not start"):format(words), ":Context install makes it again")
    end
  end
  local source = environment.source()
  health.info("installed from: " .. (source and source.install or "nothing (option server.source)"))
  local uv = programs.named("uv")[1]
  local python = vim
    .iter({ "python3.14", "python3.13", "python3.12", "python3.11", "python3" })
    :map(function(name)
      return programs.named(name)[1]
    end)
  health.info("installed with: " .. (uv or python:next() or "nothing: there is neither uv nor Python"))
end

local function check_projects()
  health.start("contextls: projects")
  local clients = session.clients()
  if #clients == 0 then
    health.info("no project is open; open a file of one, or :Context ask in its folder")
  end
  for _, client in ipairs(clients) do
    local root = session.root(client)
    local answer, problem =
      client:request_sync("context/status", { rootUri = vim.uri_from_fname(root) }, ANSWER_MS, 0)
    local status = answer and compat.drop_nulls(answer.result)
    if not status then
      local said = answer and answer.err and answer.err.message or problem
      health.error(
        ("%s: the server does not answer: %s"):format(root, said or "no reason given"),
        ":Context restart"
      )
    else
      health.ok(("%s: index %s, %d files, %d events"):format(root, status.state, status.files, status.events))
      for _, warning in ipairs(status.warnings) do
        health.warn(warning)
      end
    end
    if require("contextls.pause").is_paused(root) then
      health.warn(root .. ": memory is paused", ":Context pause goes on")
    end
  end
end

local function check_options()
  health.start("contextls: options")
  local off = vim.tbl_filter(function(kind)
    return not config.options.events[kind]
  end, vim.tbl_keys(config.options.events))
  table.sort(off)
  health.info(#off == 0 and "all events are recorded" or "not recorded: " .. table.concat(off, ", "))
  health.info(("budget of a question: %d tokens"):format(config.options.max_tokens))
end

function M.check()
  check_neovim()
  check_server()
  check_projects()
  check_options()
end

return M
