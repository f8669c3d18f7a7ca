--- A function for CopilotChat.nvim (its interface as of 4.7):
--- `functions = { contextls = require("contextls.copilot_chat") }`.
--- Models call it with `@contextls`; `#contextls:discount` puts its answer into a message.
local chat = require("contextls.chat")

return {
  description = chat.DESCRIPTION,
  uri = "contextls://{question}",
  schema = {
    type = "object",
    required = { "question" },
    properties = { question = { type = "string", description = "The question, in plain words" } },
  },
  resolve = function(input)
    require("CopilotChat.utils").schedule_main()
    local content = chat.context_now(input.question)
    if not content then
      error("contextls has nothing on this, or its server does not run: :checkhealth contextls", 0)
    end
    return { { uri = "contextls://" .. input.question, mimetype = "text/markdown", data = content } }
  end,
}
