"""A workspace and one server for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import mcp_types as types
import pytest

from ..memory.workspaces import write
from ..shop import SHOP
from .session import Session, connect

FILES = {
    **SHOP,
    "shop/mail.py": '"""Mail."""\n\nSENDER_TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"\n',
    ".gitignore": "private/\n",
    "private/notes.py": "THE_IGNORED_WORD = 1\n",
}
# So much code that no answer holds all of it.
REPORTS = 40


def write_workspace(root: Path) -> Path:
    """Write the sample workspace below ``root``."""
    write(root, FILES)
    for number in range(REPORTS):
        lines = "\n".join(f'    total += price_{index} * {number}  # "quoted"' for index in range(12))
        (root / "shop" / f"report_{number}.py").write_text(
            f'"""Report {number}."""\n\n\ndef report_prices_{number}(total: int) -> int:\n'
            f'    """Report the prices of quarter {number}."""\n{lines}\n    return total\n',
            "utf-8",
        )
    return root


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One workspace for the tests of a module."""
    return write_workspace(tmp_path_factory.mktemp("shop") / "shop project")


@pytest.fixture(scope="module")
def session(workspace: Path) -> Iterator[Session]:
    """One server on the workspace for all tests of a module."""
    elsewhere = workspace.parent / "elsewhere"
    elsewhere.mkdir()

    async def list_roots(_context: object) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=elsewhere.as_uri())])  # type: ignore[arg-type]

    with connect("--root", workspace, list_roots_callback=list_roots) as started:
        yield started
