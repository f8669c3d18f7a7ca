--- A tool for avante.nvim (its interface as of August 2026): `custom_tools = { require("contextls.avante") }`.
local chat = require("contextls.chat")

return {
  name = "contextls",
  description = chat.DESCRIPTION,
  param = {
    type = "table",
    fields = { { name = "question", description = "The question, in plain words", type = "string" } },
  },
  returns = {
    { name = "context", description = "What the project has on it, as Markdown", type = "string" },
    { name = "error", description = "Why there is nothing", type = "string", optional = true },
  },
  func = function(input, opts)
    chat.context(input.question, opts.on_complete)
  end,
}
