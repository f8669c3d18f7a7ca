"""A folder in which everything is a trap: each module that Python might import, each program that a shell might find."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from importlib.metadata import packages_distributions
from pathlib import Path

from ..memory.workspaces import write
from ..repositories import git

# Built-in modules only: a trap that imported another one would hide which was met first.
_MODULE = """
import posix as _posix
_file = _posix.open({marker!r}, _posix.O_WRONLY | _posix.O_APPEND | _posix.O_CREAT, 0o600)
_posix.write(_file, b"module " + __name__.encode() + b"\\n")
_posix.close(_file)
"""
_PROGRAM = '#!/bin/sh\necho "program $0" >> {marker}\nexit 1\n'
_OURS = ("contextls", "sitecustomize", "usercustomize", "__main__", "tests", "benchmarks")
_PROGRAMS = (
    "contextls",
    "git",
    "python",
    "python3",
    "sh",
    "bash",
    "env",
    "uname",
    "ldconfig",
    "gcc",
    "nvim",
    "uv",
)

HARMLESS = {
    "shop/cart.py": "class Cart:\n    def add_article(self, article: str) -> None:\n        self.lines.append(article)\n",
    "shop/invoice.py": 'def invoice_total(total: float) -> float:\n    """What is to be paid."""\n    return total * 1.2\n',
    "README.md": "# Shop\n\nA shop with a cart and invoices.\n",
}


@dataclass(frozen=True, slots=True)
class TrapFolder:
    """A workspace full of traps, and the file in which they say that they were sprung."""

    root: Path
    marker: Path

    @property
    def sprung(self) -> list[str]:
        """What ran, in the order in which it did."""
        return self.marker.read_text("utf-8").splitlines() if self.marker.exists() else []

    @property
    def variables(self) -> dict[str, str]:
        """An environment in which every relative way leads here."""
        return {
            "PATH": f".{os.pathsep}{os.pathsep}{self.root}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": f".{os.pathsep}{self.root}",
            "PYTHONHOME": ".",
            "PYTHONSTARTUP": "./__main__.py",
            "PYTHONPLATLIBDIR": ".",
            "LD_LIBRARY_PATH": ".",
        }


def module_names() -> list[str]:
    """The standard library's top-level names, those of everything that is installed here, and ours."""
    names = {*sys.stdlib_module_names, *packages_distributions(), *_OURS}
    return sorted(name for name in names if name.isidentifier())


def set_traps(folder: Path) -> TrapFolder:
    """Fill ``folder`` with traps around a small harmless project in a git repository."""
    marker = folder.with_name(f"{folder.name}-sprung")
    module, program = _MODULE.format(marker=str(marker)), _PROGRAM.format(marker=marker)
    write(folder, HARMLESS)
    for name in module_names():
        (folder / f"{name}.py").write_text(module, "utf-8")
    for name in _PROGRAMS:
        path = folder / name
        path.write_text(program, "utf-8")
        path.chmod(0o755)
    for version in (
        "python3",
        f"python3.{sys.version_info.minor}",
    ):  # what PYTHONHOME and PYTHONPLATLIBDIR look for
        (folder / "lib" / version).mkdir(parents=True)
        for name in ("os", "encodings", "site"):
            (folder / "lib" / version / f"{name}.py").write_text(module, "utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "Open the shop")
    return TrapFolder(folder, marker)
