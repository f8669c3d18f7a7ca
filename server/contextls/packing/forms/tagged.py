"""A pack between tags, which no file can close or open; see ``text.tags``."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.model import Detail, UnpackedFile
from contextls.packing.forms.form import PackFigures
from contextls.text.fence import name_line
from contextls.text.tags import write_block


class TaggedForm:
    """``<context path="…">`` for files, ``<user>`` for what the user says."""

    def opening(self, part: int) -> str:
        """The number of a further part."""
        return "" if part == 1 else _block("context", "", {"title": "Files", "part": str(part)})

    def header(self, text: str) -> str:
        """The user's words."""
        return _block("user", text, {})

    def summary(self, facts: PackFigures) -> str:
        """A sentence."""
        return _block("context", facts.sentence(), {"title": "Files"})

    def tree(self, lines: Sequence[str]) -> str:
        """The tree as it is."""
        return _block("context", "\n".join(lines), {"title": "Tree"})

    def left_out(self, files: Sequence[UnpackedFile]) -> str:
        """A line for each."""
        rows = "\n".join(f"{name_line(file.path)}: {file.reason}" for file in files)
        return _block("context", rows, {"title": "Not shown"})

    def file(self, path: str, text: str, detail: Detail, lines: str = "") -> str:
        """Path and text."""
        kind = "" if detail is Detail.WHOLE else str(detail)
        return _block("context", text, {"path": path, "lines": lines, "detail": kind})

    def section(self, title: str, text: str, language: str) -> str:  # noqa: ARG002 - see Form
        """Title and text."""
        return _block("context", text, {"title": title})

    def instructions(self, text: str) -> str:
        """The user's words."""
        return _block("user", text, {})

    def last(self, block: str) -> str:
        """The block itself: nothing differs at the end."""
        return block

    def closing(self, *, more: bool) -> str:
        """A hint, where something follows."""
        return _block("context", "More files follow in the next part.", {}) if more else ""


def _block(tag: str, text: str, attributes: dict[str, str]) -> str:
    return f"{write_block(tag, text, attributes)}\n"
