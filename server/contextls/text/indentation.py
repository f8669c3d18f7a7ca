"""The white space that a line begins with, and how far that moves it in."""

from __future__ import annotations

TAB_WIDTH = 4


def indent_of(line: str) -> str:
    """The white space that ``line`` begins with."""
    return line[: len(line) - len(line.lstrip())]


def indent_width(line: str, tab_width: int = TAB_WIDTH) -> int:
    """The columns that ``line`` is indented by."""
    return len(indent_of(line).expandtabs(tab_width))
