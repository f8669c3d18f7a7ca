"""What is wrong in the working set is shown in Neovim as any problem is."""

from __future__ import annotations

from pathlib import Path

from .nvim import Neovim


def test_a_fault_of_the_working_set_is_a_diagnostic_of_its_buffer(nvim: Neovim, project: Path) -> None:
    (project / ".context").mkdir()
    (project / ".context" / "working-set.yml").write_text("files:\n  - {path: shop/cart.py, role: böss}\n")
    nvim.edit(".context/working-set.yml")
    nvim.wait("#vim.diagnostic.get(0) == 1", "the fault")
    found = nvim.lua("return vim.diagnostic.get(0)[1]")
    assert found["message"] == "role: expected one of system, developer, user, context"
    assert (found["lnum"], found["col"], found["end_col"]) == (1, 31, 36)
    nvim.lua("vim.api.nvim_buf_set_lines(0, 1, 2, false, { '  - shop/cart.py' })")
    nvim.wait("#vim.diagnostic.get(0) == 0", "the fault to be gone")
