"""Bring the generated parts of README.md up to date: printed output, the settings table.

usage: python tools/update_readme.py

An HTML comment ``<!-- output: COMMAND -->`` stands before each fenced block that holds the output of COMMAND;
``<!-- settings -->`` stands before the settings table. COMMAND runs in the repository's root with an index of its own.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from contextls.settings import settings_table

ROOT = Path(__file__).parents[1]
OUTPUT = re.compile(
    r"(<!-- output: (?P<command>.+) -->\n(?P<fence>`{3,})\w*\n).*?(\n(?P=fence)\n)", re.DOTALL
)
SETTINGS = re.compile(r"(<!-- settings -->\n).*?(\n\n)", re.DOTALL)


def main() -> None:
    """Rewrite README.md in place."""
    readme = ROOT / "README.md"
    text = SETTINGS.sub(
        lambda found: found[1] + settings_table() + found[2], readme.read_text(encoding="utf-8")
    )
    with tempfile.TemporaryDirectory() as home:
        text = OUTPUT.sub(lambda found: found[1] + _run(found["command"], home) + found[4], text)
    readme.write_text(text, encoding="utf-8")


def _run(command: str, home: str) -> str:
    beside = Path(sys.executable).parent
    done = subprocess.run(
        shlex.split(command),
        cwd=ROOT,
        env={**os.environ, "CONTEXTLS_HOME": home, "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
    )
    return done.stdout.rstrip("\n")


if __name__ == "__main__":
    main()
