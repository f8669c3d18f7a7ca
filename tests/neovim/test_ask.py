"""Questions in Neovim: shown, copied, about a selection, walked through."""

from __future__ import annotations

from pathlib import Path

from .nvim import Neovim, lua_string


def _ask(nvim: Neovim, question: str) -> None:
    nvim.command(f"Context ask {question}")
    shown = f"vim.fn.getline(1) == {lua_string(question)}"
    nvim.wait(f"vim.api.nvim_buf_get_name(0):match('^contextls://') and {shown}", "a result")


def test_an_answer_opens_beside_the_code(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    _ask(nvim, "how is the discount computed?")
    assert "def discount_for" in nvim.text()
    assert nvim.text().startswith("how is the discount computed?")
    assert nvim.lua("return vim.bo.filetype") == "markdown"
    assert nvim.lua("return vim.bo.modifiable") is False
    bar = nvim.lua("return vim.wo.winbar")
    assert " of 4,000 tokens " in bar
    assert "confidence 0." in bar
    assert len(nvim.lua("return vim.api.nvim_tabpage_list_wins(0)")) == 2


def test_with_a_file_of_no_project_in_front_the_current_folder_is_asked(nvim: Neovim, tmp_path: Path) -> None:
    log = tmp_path / "elsewhere.log"
    log.write_text("nothing\n", encoding="utf-8")
    nvim.edit(str(log))
    _ask(nvim, "how is the discount computed?")
    assert "def discount_for" in nvim.text()


def test_a_second_answer_takes_the_window_of_the_first(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    _ask(nvim, "how is the discount computed?")
    nvim.keys("<C-w>p")
    nvim.command("Context ask what does an invoice cost?")
    nvim.wait("vim.api.nvim_buf_get_name(0):match('invoice cost')")
    assert len(nvim.lua("return vim.api.nvim_tabpage_list_wins(0)")) == 2


def test_enter_and_gf_open_the_code_at_its_line(nvim: Neovim, project: Path) -> None:
    nvim.edit("README.md")
    for keys in ("<CR>", "gf"):
        _ask(nvim, "how is the discount computed?")
        nvim.lua("vim.fn.search('^    return total ')")
        nvim.keys(keys)
        nvim.wait("vim.api.nvim_buf_get_name(0):match('cart.py$')")
        assert nvim.name() == str(project / "shop" / "cart.py")
        nvim.wait("vim.api.nvim_get_current_line():match('^    return total %* 0.05')")
        assert nvim.lua("return vim.wo.winbar") == "", "the bar stays with the result"
        nvim.edit("README.md")


def test_sections_fold_and_headings_are_walked(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    _ask(nvim, "how is the discount computed?")
    nvim.keys("gg]]")
    nvim.wait("vim.api.nvim_get_current_line():match('^## ')")
    nvim.keys("zc")
    nvim.wait("vim.fn.foldclosed('.') == vim.fn.line('.')")
    nvim.keys("zo]]")
    nvim.wait("vim.api.nvim_get_current_line():match('^### `shop/')")
    nvim.keys("q")
    nvim.wait("#vim.api.nvim_tabpage_list_wins(0) == 1")


def test_a_context_is_copied(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.lua("vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# 😋 penguin_word' })")
    nvim.command("Context copy penguin word")
    assert "tokens" in nvim.wait_said("context copied: [%d,]+ tokens")
    assert "😋 penguin_word" in nvim.lua("return vim.fn.getreg('\"')"), "the unsaved text is missing"
    nvim.edit("shop/cart.py")


def test_a_selection_is_a_question(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.lua("vim.fn.search('^def discount_for')")
    nvim.keys("V2j:Context copy<CR>")
    nvim.wait_said("context copied")
    copied = nvim.lua("return vim.fn.getreg('\"')")
    assert copied.startswith("This is about the selected lines.")
    assert "def discount_for" in copied


def test_a_question_is_typed_where_none_is_given(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.keys(":Context ask<CR>")
    nvim.wait("vim.api.nvim_get_mode().mode:match('^c') ~= nil", "the box")
    nvim.keys("where are articles added?<CR>")
    nvim.wait("vim.api.nvim_buf_get_name(0):match('articles added')")


def test_an_earlier_context_is_shown_again(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    _ask(nvim, "how is the discount computed?")
    _ask(nvim, "what does an invoice cost?")
    nvim.edit("shop/cart.py")
    nvim.lua("vim.ui.select = function(items, opts, done) done(items[2]) end")
    nvim.command("Context open")
    nvim.wait("vim.api.nvim_buf_get_name(0):match('discount')")


def test_the_code_action_copies(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.lua(
        "vim.fn.search('discount_for') vim.lsp.buf.code_action({ apply = true, "
        "filter = function(action) return action.title:match('^Copy context for `discount_for') end })"
    )
    nvim.wait_said("context copied")
    assert "def discount_for" in nvim.lua("return vim.fn.getreg('\"')")


def test_subcommands_are_completed_and_named(nvim: Neovim) -> None:
    offered = nvim.lua("return vim.fn.getcompletion('Context ', 'cmdline')")
    assert {"ask", "copy", "open", "review", "failure"} <= set(offered)
    assert nvim.lua("return vim.fn.getcompletion('Context rev', 'cmdline')") == ["review"]
    assert nvim.lua("return vim.fn.getcompletion('Context review s', 'cmdline')") == ["staged"]
    nvim.command("Context dance")
    nvim.wait_said("there is no :Context dance; see :help :Context")


# As codecompanion.nvim 19.22 has it: its configuration, and what an extension calls of a chat.
CODECOMPANION = """
package.preload["codecompanion.config"] = function()
  return { interactions = { chat = { slash_commands = {}, tools = {} }, shared = { editor_context = {} } } }
end
added = nil
chat = {
  add_context = function(_, data, source, id) added = { data.role, data.content, source, id } end,
  add_tool_output = function(_, tool, for_llm, for_user) added = { tool.name, for_llm, for_user } end,
}
local interactions = require("codecompanion.config").interactions
require("codecompanion._extensions.contextls").setup({})
command = interactions.chat.slash_commands.contextls
tool = interactions.chat.tools.contextls
editor_context = interactions.shared.editor_context.contextls
"""


def test_codecompanion_gets_context_by_a_slash_command(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.lua(CODECOMPANION)
    nvim.lua(
        "vim.ui.input = function(_, done) done('how is the discount computed?') end command.callback(chat)"
    )
    nvim.wait("added ~= nil", "the context")
    role, content, source, name = nvim.lua("return added")
    assert (role, source, name) == (
        "user",
        "contextls",
        "<contextls>how is the discount computed?</contextls>",
    )
    assert "def discount_for" in content
    assert not content.startswith("how is"), "the chat has the question already"


def test_codecompanion_lets_a_model_ask(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.lua(CODECOMPANION)
    nvim.lua(
        "tool.args = { question = 'how is the discount computed?' }"
        "tool.cmds[1](tool, tool.args, { output_cb = function(result) "
        "assert(result.status == 'success') tool.output.success(tool, { result.data }, { tools = { chat = chat } }) end })"
    )
    nvim.wait("added ~= nil", "the answer of the tool")
    name, for_model, for_user = nvim.lua("return added")
    assert name == "contextls"
    assert "def discount_for" in for_model
    assert for_user == "contextls: how is the discount computed?"
    assert nvim.lua("return tool.schema['function'].parameters.required") == ["question"]


def test_codecompanion_is_told_of_the_work(nvim: Neovim, project: Path) -> None:
    cart = project / "shop" / "cart.py"
    before = cart.read_text("utf-8")
    cart.write_text(before.replace("0.05", "0.07"), encoding="utf-8")
    nvim.edit("shop/cart.py")
    nvim.lua(CODECOMPANION)
    try:
        nvim.wait("(editor_context.callback({}) or ''):find('+    return total * 0.07', 1, true) ~= nil")
    finally:
        cart.write_text(before, encoding="utf-8")


def test_copilot_chat_calls_a_function(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    resources = nvim.lua(
        "package.preload['CopilotChat.utils'] = function() return { schedule_main = function() end } end "
        "return require('contextls.copilot_chat').resolve({ question = 'how is the discount computed?' }, {})"
    )
    (resource,) = resources
    assert resource["uri"] == "contextls://how is the discount computed?"
    assert resource["mimetype"] == "text/markdown"
    assert "def discount_for" in resource["data"]


def test_avante_calls_a_tool(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.lua(
        "answer = nil require('contextls.avante').func({ question = 'how is the discount computed?' }, "
        "{ on_complete = function(content) answer = content end })"
    )
    assert "def discount_for" in nvim.wait("answer", "the answer of the tool")
