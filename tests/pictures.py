"""Pictures of terminals for the documentation."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def write_picture(path: Path, screen: Text, *, title: str, columns: int) -> None:
    """Write what a terminal shows as an SVG that loads nothing from anywhere."""
    console = Console(record=True, width=columns, file=io.StringIO())
    console.print(screen, soft_wrap=True)
    svg = FONT.sub("", console.export_svg(title=title, theme=MONOKAI)).replace("Fira Code,", "")
    path.write_text(svg, encoding="utf-8")
