--- `:Context`: its subcommands, and what completes them.
local async = require("contextls.async")

local M = {}

local GIT_MS = 1000

---@class contextls.Given
---@field text string what was typed behind the subcommand
---@field bang boolean
---@field selection? contextls.Selection
---@field line integer

---@class contextls.Subcommand
---@field run fun(given: contextls.Given)
---@field complete? fun(lead: string): string[]

--- What a bang does to a question: its context is copied instead of shown.
---@param given contextls.Given
---@return contextls.Delivery
local function delivery(given)
  return given.bang and "copy" or "show"
end

---@param choices string[]
local function among(choices)
  return function(lead)
    return vim.tbl_filter(function(choice)
      return vim.startswith(choice, lead)
    end, choices)
  end
end

--- The branches and tags of the repository around the current folder; none where git cannot say so.
---@return string[]
local function branches()
  local refs = { "refs/heads", "refs/remotes", "refs/tags" }
  local command =
    { "git", "-c", "core.fsmonitor=false", "for-each-ref", "--format=%(refname:short)", unpack(refs) }
  local ok, listed = pcall(function()
    return vim.system(command, { text = true, timeout = GIT_MS }):wait()
  end)
  return ok and listed.code == 0 and vim.split(vim.trim(listed.stdout), "\n", { trimempty = true }) or {}
end

---@param kind contextls.PinChange
---@return contextls.Subcommand
local function pin_command(kind)
  return {
    run = function(given)
      require("contextls.pins").change(kind, given.text, given.selection and given.line)
    end,
    complete = function(lead)
      return vim.fn.getcompletion(lead, "file")
    end,
  }
end

---@param by 1|-1
---@return contextls.Subcommand
local function weigh_command(by)
  return {
    run = function(given)
      require("contextls.pins").weigh(by, given.text)
    end,
    complete = function(lead)
      return vim.fn.getcompletion(lead, "file")
    end,
  }
end

--- A subcommand that takes nothing.
---@param module string
---@param name string
---@return contextls.Subcommand
local function plain(module, name)
  return {
    run = function()
      require("contextls." .. module)[name]()
    end,
  }
end

---@type table<string, contextls.Subcommand>
local subcommands = {
  ask = {
    run = function(given)
      local ask = require("contextls.ask")
      ask.ask(ask.question(given.text, given.selection), delivery(given))
    end,
  },
  copy = {
    run = function(given)
      local ask = require("contextls.ask")
      ask.ask(ask.question(given.text, given.selection), "copy")
    end,
  },
  open = {
    run = function(given)
      require("contextls.questions").open(given.text, given.selection)
    end,
  },
  symbol = {
    run = function(given)
      local ask = require("contextls.ask")
      ask.ask(ask.symbol(), delivery(given))
    end,
  },
  review = {
    run = function(given)
      require("contextls.questions").review(given.text, delivery(given))
    end,
    complete = function(lead)
      return among(vim.list_extend({ "all", "staged", "unstaged" }, branches()))(lead)
    end,
  },
  failure = {
    run = function(given)
      require("contextls.questions").failure(delivery(given))
    end,
  },
  problem = {
    run = function(given)
      require("contextls.questions").problem(delivery(given))
    end,
  },
  pin = pin_command("pin"),
  unpin = pin_command("unpin"),
  exclude = pin_command("exclude"),
  include = pin_command("include"),
  scope = {
    run = function(given)
      require("contextls.scope").change(given.text)
    end,
    complete = function(lead)
      return vim.list_extend(among({ "all" })(lead), vim.fn.getcompletion(lead, "dir"))
    end,
  },
  raise = weigh_command(1),
  lower = weigh_command(-1),
  undo = {
    run = function(given)
      require("contextls.pins").undo(given.text, given.bang)
    end,
  },
  task = {
    run = function(given)
      require("contextls.tasks").run(given.text)
    end,
    complete = among({ "block", "pop", "push", "resume" }),
  },
  note = {
    run = function(given)
      require("contextls.tasks").note(given.text)
    end,
  },
  activity = plain("activity", "show"),
  status = plain("status", "show"),
  pause = plain("status", "pause"),
  clear = plain("status", "clear"),
  restart = plain("status", "restart"),
  install = plain("install", "run"),
  reindex = {
    run = function(given)
      require("contextls.status").reindex(given.bang)
    end,
  },
  log = {
    run = function()
      vim.cmd.tabedit({ args = { vim.lsp.get_log_path() }, magic = { file = false } })
    end,
  },
}

local function names()
  local all = vim.tbl_keys(subcommands)
  table.sort(all)
  return all
end

--- Runs `:Context …`; without a subcommand the user chooses one.
---@param given table as Neovim hands it to a user command
function M.run(given)
  local name, text = given.args:match("^(%S+)%s*(.*)$")
  local place = require("contextls.place")
  local selection = given.range > 0 and place.selection(0, given.line1, given.line2) or nil
  async.run(function()
    name = name or async.select(names(), { prompt = "contextls" })
    local known = subcommands[name]
    if not known then
      async.fail(("there is no :Context %s; see :help :Context"):format(name))
    end
    known.run({ text = vim.trim(text or ""), bang = given.bang, selection = selection, line = given.line1 })
  end)
end

---@param lead string
---@param line string the whole command line
---@return string[]
function M.complete(lead, line)
  local name = line:match("Context!?%s+(%S+)%s")
  if not name then
    return among(names())(lead)
  end
  local known = subcommands[name]
  return known and known.complete and known.complete(lead) or {}
end

return M
