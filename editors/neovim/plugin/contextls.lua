--- The command and the keys of contextls. Nothing else is loaded before one of them is used.
if vim.g.loaded_contextls then
  return
end
vim.g.loaded_contextls = true

vim.api.nvim_create_user_command("Context", function(given)
  require("contextls.commands").run(given)
end, {
  nargs = "*",
  range = true,
  bang = true,
  desc = "Context for a question, a selection, a failure, a review",
  complete = function(...)
    return require("contextls.commands").complete(...)
  end,
})

local function map(modes, name, command, desc)
  vim.keymap.set(modes, ("<Plug>(contextls-%s)"):format(name), command, { desc = "contextls: " .. desc })
end

map("n", "ask", "<Cmd>Context ask<CR>", "ask a question")
map("x", "ask", ":Context ask<CR>", "ask about the selection")
map("n", "copy", "<Cmd>Context copy<CR>", "copy the context for a question")
map("x", "copy", ":Context copy<CR>", "copy the context for the selection")
map("n", "copy-symbol", "<Cmd>Context! symbol<CR>", "copy the context for the name under the cursor")
map("n", "symbol", "<Cmd>Context symbol<CR>", "context for the name under the cursor")
map("n", "open", "<Cmd>Context open<CR>", "show an earlier context")
map("n", "pin", "<Cmd>Context pin<CR>", "pin this file")
map("n", "pin-symbol", "<Cmd>Context pin #<CR>", "pin the symbol around the cursor")
map("n", "unpin", "<Cmd>Context unpin<CR>", "unpin")
map("n", "exclude", "<Cmd>Context exclude %<CR>", "keep this file out of prompts")
map("n", "raise", "<Cmd>Context raise<CR>", "give this file's pin more weight")
map("n", "lower", "<Cmd>Context lower<CR>", "give this file's pin less weight")
map("n", "undo", "<Cmd>Context undo<CR>", "undo what a model did to the working set")
map("n", "task", "<Cmd>Context task<CR>", "what is being worked on")
map("n", "activity", "<Cmd>Context activity<CR>", "what happened")
map("n", "review", "<Cmd>Context review<CR>", "context for a review of the changes")
map("n", "failure", "<Cmd>Context failure<CR>", "context for the last failed command")
map("n", "problem", "<Cmd>Context problem<CR>", "context for the problem at the cursor")
map("n", "status", "<Cmd>Context status<CR>", "how things stand")
map("n", "pause", "<Cmd>Context pause<CR>", "pause memory, or go on")
