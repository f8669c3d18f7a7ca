"""The server is started again, whatever is in front."""

from __future__ import annotations

from pathlib import Path

from .nvim import Neovim

CLIENTS = "vim.lsp.get_clients({ name = 'contextls' })"


def test_the_server_is_restarted_from_its_log(nvim: Neovim, project: Path) -> None:
    first = nvim.lua(f"return {CLIENTS}[1].id")
    nvim.command("Context log")
    nvim.wait("vim.api.nvim_buf_get_name(0):find('lsp.log', 1, true)", "the log")
    nvim.command("Context restart")
    nvim.wait_said("the server was restarted")
    assert nvim.lua(f"return #{CLIENTS}") == 1
    assert nvim.lua(f"return {CLIENTS}[1].id") > first
    assert nvim.request("context/status")["root"] == str(project.resolve())
    nvim.edit("shop/cart.py")
    nvim.wait("#vim.lsp.get_clients({ name = 'contextls', bufnr = 0 }) == 1", "the server of the file")
