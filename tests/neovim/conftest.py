"""One Neovim with one server on one sample project, for all tests of a module."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from ..memory.workspaces import write
from ..shop import SHOP
from .nvim import Neovim, lua_string, write_server_program


def make_project(root: Path, more: Mapping[str, str] | None = None) -> Path:
    """A small repository with one commit, which holds ``more`` files."""
    write(root, {**SHOP, **(more or {})})
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-C", str(root)]
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "Begin"], check=True)
    return root


@pytest.fixture(scope="session")
def server_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server of this checkout as one program."""
    return write_server_program(tmp_path_factory.mktemp("bin"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose folder has a space in its name."""
    return make_project(tmp_path_factory.mktemp("work") / "shop project")


@pytest.fixture(scope="module")
def nvim(tmp_path_factory: pytest.TempPathFactory, project: Path, server_program: Path) -> Iterator[Neovim]:
    """Neovim in the project with the server attached to ``shop/cart.py``."""
    home = tmp_path_factory.mktemp("nvim")
    options = f"{{ server = {{ path = {lua_string(server_program)} }}, settings = {{ editSeconds = 0.2 }} }}"
    editor = Neovim(home, project, f'require("contextls").setup({options})')
    try:
        editor.edit("shop/cart.py")
        attached = "vim.lsp.get_clients({ name = 'contextls', bufnr = 0 })[1]"
        editor.wait(f"{attached} and {attached}.initialized", "the server")
        yield editor
    finally:
        editor.end()
