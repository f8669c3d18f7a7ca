"""Bring the generated parts of README.md up to date: printed output, the settings table.

usage: python tools/update_readme.py [--check]

An HTML comment ``<!-- output: COMMAND -->`` stands before each fenced block that holds the output of COMMAND;
``<!-- settings -->`` stands before the settings table. COMMAND runs beside a copy of the library that the golden prompts
ask about, so that its output changes only when contextls does. ``--check`` writes nothing and fails when README.md is stale.
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
LIBRARY = ROOT / "tests" / "golden" / "fixtures" / "library"
OUTPUT = re.compile(
    r"(<!-- output: (?P<command>[^\n]+) -->\n(?P<fence>`{3,})\w*\n).*?(\n(?P=fence)\n)", re.DOTALL
)
SETTINGS = re.compile(r"(<!-- settings -->\n).*?(\n\n)", re.DOTALL)


def main() -> None:
    """Rewrite README.md in place, or compare it with what would be written."""
    readme = ROOT / "README.md"
    before = readme.read_text(encoding="utf-8")
    text = SETTINGS.sub(lambda found: found[1] + _settings_table() + found[2], before)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(LIBRARY, Path(folder, "library"))
        text = OUTPUT.sub(lambda found: found[1] + _run(found["command"], Path(folder)) + found[4], text)
    if "--check" not in sys.argv[1:]:
        readme.write_text(text, encoding="utf-8")
    elif text != before:
        sys.exit("README.md is not what contextls prints; run: python tools/update_readme.py")


def _settings_table() -> str:
    rows = ["| setting | default | meaning |", "| --- | --- | --- |"]
    defaults = Settings()
    for name, (_, setting) in described_settings().items():
        rows.append(f"| `{wire_name(name)}` | `{json.dumps(getattr(defaults, name))}` | {setting.doc} |")
    return "\n".join(rows)


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
