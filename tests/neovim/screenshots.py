"""Takes the pictures of Neovim for the documents: ``python -m tests.neovim.screenshots``.

They are what a real Neovim shows in a terminal, on this repository.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from rich.text import Text

from ..pictures import write_picture
from .nvim import REPOSITORY, lua_string, write_server_program
from .terminal import COLUMNS, Terminal

TARGET = REPOSITORY / "docs" / "images" / "neovim-ask.svg"
FILE = "server/contextls/text/redact.py"
QUESTION = "how is a secret redacted before it is stored?"
INDEX_SECONDS = 300.0
CONFIG = """
vim.opt.wrap = false
vim.opt.termguicolors = true
vim.g.markdown_fenced_languages = {{ "python" }}
vim.opt.laststatus = 3
vim.opt.ruler = false
vim.cmd("syntax on")
vim.api.nvim_set_hl(0, "Normal", {{}}) -- the background of the terminal, also where a line is empty
vim.api.nvim_set_hl(0, "NormalNC", {{}})
vim.o.statusline = " %f %= %{{v:lua.require'contextls'.statusline()}} "
require("contextls").setup({{ server = {{ path = {program} }} }})
"""


def main() -> None:
    """Take every picture."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        os.environ["CONTEXTLS_HOME"] = str(home / "contextls")
        program = write_server_program(home)
        editor = Terminal(home, REPOSITORY, CONFIG.format(program=lua_string(program)), FILE)
        try:
            editor.type(f":Context ask {QUESTION}")
            editor.press("Enter")
            editor.wait("of 4,000 tokens", longest=INDEX_SECONDS)
            editor.type(":Context reindex")
            editor.press("Enter")
            editor.wait("index up to date", longest=INDEX_SECONDS)
            editor.press("q")
            editor.type(f":Context ask {QUESTION}")
            editor.press("Enter")
            editor.wait("of 4,000 tokens")
            editor.type(":echo")
            editor.press("Enter")
            screen = Text.from_ansi(editor.screen(colours=True).rstrip("\n"))
            write_picture(TARGET, screen, title="contextls in Neovim", columns=COLUMNS)
        finally:
            editor.end()


if __name__ == "__main__":
    main()
