"""Labels of definitions in this repository: ``path#Class.method``, or ``path`` alone for the whole file."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

from contextls.model import Component

ROOT = Path(__file__).resolve().parents[1]


def shows(part: Component, label: str) -> bool:
    """Whether a piece holds the line that defines what the label names, or any line of a file without a name."""
    path, _, symbol = label.partition("#")
    if part.path != path:
        return False
    line = source(path)[span(label)[0] - 1].strip()
    return not symbol or (touches(part, label) and line in part.content)


def touches(part: Component, label: str) -> bool:
    """Whether a piece shares lines with what the label names."""
    first, last = span(label)
    return (
        part.path == label.partition("#")[0]
        and (part.start_line or 0) <= last
        and first <= (part.end_line or 0)
    )


@cache
def source(path: str) -> list[str]:
    return (ROOT / path).read_text(encoding="utf-8").splitlines()


@cache
def tree(path: str) -> ast.Module:
    return ast.parse("\n".join(source(path)))


@cache
def span(label: str) -> tuple[int, int]:
    """The first and the last line of what the label names."""
    path, _, symbol = label.partition("#")
    if not symbol:
        return 1, len(source(path))
    inside: Any = tree(path)
    for name in symbol.split("."):
        inside = next(each for each in inside.body if getattr(each, "name", "") == name)
    return inside.lineno, inside.end_lineno
