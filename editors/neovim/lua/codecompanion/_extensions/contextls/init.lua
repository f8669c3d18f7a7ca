--- An extension for codecompanion.nvim (its interface as of 19.22): `/contextls`, the tool `@{contextls}` and the editor
--- context `#{contextls}`.
local chat = require("contextls.chat")

local M = {}

local NAME = "contextls"

--- `/contextls`: asks for a question, and adds its context to the chat.
---@param codecompanion table the chat
local function add_context(codecompanion)
  vim.ui.input({ prompt = "Context for which question? " }, function(query)
    if not query or vim.trim(query) == "" then
      return
    end
    chat.context(query, function(content, problem)
      if not content then
        vim.notify("contextls: " .. problem, vim.log.levels.WARN)
        return
      end
      local id = ("<contextls>%s</contextls>"):format(query)
      codecompanion:add_context({ role = "user", content = content }, NAME, id)
    end)
  end)
end

---@return table
local function tool()
  return {
    name = NAME,
    description = "What the project has on a question",
    cmds = {
      function(_, args, opts)
        chat.context(args.question, function(content, problem)
          opts.output_cb({ status = content and "success" or "error", data = content or problem })
        end)
      end,
    },
    schema = {
      type = "function",
      ["function"] = {
        name = NAME,
        description = chat.DESCRIPTION,
        parameters = {
          type = "object",
          properties = { question = { type = "string", description = "The question, in plain words" } },
          required = { "question" },
          additionalProperties = false,
        },
        strict = true,
      },
    },
    output = {
      success = function(self, stdout, meta)
        local question = ("contextls: %s"):format(self.args.question)
        meta.tools.chat:add_tool_output(
          self,
          table.concat(vim.iter({ stdout }):flatten():totable(), "\n"),
          question
        )
      end,
      error = function(self, stderr, meta)
        meta.tools.chat:add_tool_output(self, table.concat(vim.iter({ stderr }):flatten():totable(), "\n"))
      end,
    },
  }
end

--- Called by codecompanion.nvim.
function M.setup()
  local interactions = require("codecompanion.config").interactions
  interactions.chat.slash_commands[NAME] = {
    description = "Add the context for a question",
    callback = add_context,
    opts = { contains_code = true },
  }
  interactions.chat.tools[NAME] = tool()
  interactions.shared.editor_context[NAME] = {
    description = "What I am working on: changes, failures, files in front",
    callback = function()
      return chat.context_now("Continue where I left off.") or "Nothing is remembered of this project yet."
    end,
    opts = { contains_code = true },
  }
end

return M
