"""Bring the generated parts of README.md and of some documents up to date: printed output, the settings table.

usage: python tools/update_readme.py [--check]

An HTML comment ``<!-- output: COMMAND -->`` stands before each fenced block that holds the output of COMMAND;
``<!-- settings -->`` stands before the settings table. COMMAND runs beside a copy of the library that the golden prompts
ask about, so that its output changes only when contextls does. ``--check`` writes nothing and fails when a page is stale.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from contextls.schema.names import wire_name
from contextls.settings import Settings, described_settings

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "docs" / "pack.md", ROOT / "docs" / "settings.md")
LIBRARY = ROOT / "tests" / "golden" / "fixtures" / "library"
OUTPUT = re.compile(
    r"(<!-- output: (?P<command>[^\n]+) -->\n(?P<fence>`{3,})\w*\n).*?(\n(?P=fence)\n)", re.DOTALL
)
SETTINGS = re.compile(r"(<!-- settings -->\n)(?:\|[^\n]*\n)*")


def main() -> None:
    """Rewrite the pages in place, or compare them with what would be written."""
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        text = _update_page(before)
        if "--check" not in sys.argv[1:]:
            page.write_text(text, encoding="utf-8")
        elif text != before:
            name = page.relative_to(ROOT).as_posix()
            sys.exit(f"{name} is not what contextls prints; run: python tools/update_readme.py")


def _update_page(before: str) -> str:
    text = SETTINGS.sub(lambda found: found[1] + _settings_table(), before)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(LIBRARY, Path(folder, "library"))
        return OUTPUT.sub(lambda found: found[1] + _run(found["command"], Path(folder)) + found[4], text)


def _settings_table() -> str:
    rows = ["| setting | default | meaning |", "| --- | --- | --- |"]
    defaults = Settings()
    for name, (_, setting) in described_settings().items():
        meaning = setting.doc.replace("](docs/", "](")
        rows.append(f"| `{wire_name(name)}` | `{json.dumps(getattr(defaults, name))}` | {meaning} |")
    return "\n".join(rows) + "\n"


def _run(command: str, folder: Path) -> str:
    beside = Path(sys.executable).parent
    search_path = f"{beside}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        shlex.split(command),
        cwd=folder,
        env={**os.environ, "CONTEXTLS_HOME": str(folder / "home"), "PATH": search_path},
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
    )
    return done.stdout.rstrip("\n")


if __name__ == "__main__":
    main()
