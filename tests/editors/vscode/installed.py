"""Where the real VS Code server and the browser of these tests lie; ``.ci/install-editors`` puts them there."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
EXTENSION = REPOSITORY / "editors" / "vscode"
_INSTALLER = REPOSITORY / ".ci" / "install-editors"
_CHROMIUM = Path("/usr/bin/chromium")


@dataclass(frozen=True, slots=True)
class Installed:
    """``vscode`` is the folder with ``out/server-main.js``; the others are programs."""

    vscode: Path
    node: Path
    chromium: Path


@cache
def installed() -> Installed:
    """Find all three; what is missing is an ``AssertionError`` that says how to get it."""
    assert sys.platform == "linux", f"the tests with a real VS Code run on Linux only, not on {sys.platform}"
    where = subprocess.run(["bash", _INSTALLER, "--where"], capture_output=True, text=True, check=True)
    modules = Path(where.stdout.strip()) / "node_modules"
    found = Installed(
        vscode=modules / "code-server" / "lib" / "vscode",
        node=next(iter(modules.glob("node-linux-*/bin/node")), modules / "node"),
        chromium=Path(os.environ.get("CONTEXTLS_CHROMIUM", _CHROMIUM)),
    )
    for needed in (found.vscode / "out" / "server-main.js", found.node, found.chromium):
        assert needed.exists(), f"{needed} is missing; run: .ci/install-editors"
    return found
