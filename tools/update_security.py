"""Bring the measured parts of docs/security.md up to date: the corpus of attacks, and the recall of redaction.

usage: python tools/update_security.py [corpus] [redaction]

Without arguments both. Each part stands between ``<!-- NAME: begin -->`` and ``<!-- NAME: end -->``. ``corpus`` is the table
of ``make hardening``, which takes minutes; ``redaction`` is the Markdown table that ``python -m benchmarks.redaction``
prints. A part whose run fails stays as it is.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "security.md"


def main(names: list[str]) -> None:
    """Rewrite docs/security.md in place."""
    for name in names or list(PARTS):
        if name not in PARTS:
            sys.exit(f"no such part: {name}; there are {', '.join(PARTS)}")
        DOCUMENT.write_text(
            with_part(DOCUMENT.read_text(encoding="utf-8"), name, PARTS[name]()), encoding="utf-8"
        )


def with_part(text: str, name: str, content: str) -> str:
    """``text`` with ``content`` as the part called ``name``."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        sys.exit(f"{DOCUMENT} has no part {begin.strip()} … {end.strip()}")
    return f"{before}{begin}{content.strip()}\n{end}{after}"


def _corpus() -> str:
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.md"
        _run("pytest", "tests/hardening", "--hardening", "-n2", "--dist=loadfile", f"--corpus-table={table}")
        return table.read_text(encoding="utf-8")


def _redaction() -> str:
    printed = _run("benchmarks.redaction")
    tables = re.findall(r"(?:^\|.*\n?)+", printed, re.MULTILINE)
    if not tables:
        sys.exit("python -m benchmarks.redaction printed no table")
    return "\n".join(tables)


def _run(module: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        sys.exit(f"{module} failed:\n{done.stdout[-2000:]}")
    return done.stdout


PARTS: Mapping[str, Callable[[], str]] = {"corpus": _corpus, "redaction": _redaction}

if __name__ == "__main__":
    main(sys.argv[1:])
